"""Other kinds of CPU, as this one can play them: kernels of the core, of numpy and of its BLAS, and of libm."""

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

from victorpy import _core

_OPTIONAL = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
_PLAIN_LIBM = "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-FMA,-FMA_Usable,-AVX512F"

# What the environment of a process says there, by the name of the kind.
MACHINES = {
    "this one": {},
    "an old one": {
        "VICTOR_KERNEL": _core.KERNELS[-1],
        "NPY_DISABLE_CPU_FEATURES": " ".join(_OPTIONAL),
        "OPENBLAS_CORETYPE": "Prescott",
        "GLIBC_TUNABLES": _PLAIN_LIBM,
    },
    "one of many cores": {"VICTOR_KERNEL": _core.KERNELS[len(_core.KERNELS) // 2], "OPENBLAS_NUM_THREADS": "8"},
}
