"""Writes network_stored.npz, network_deflated.npz and network_refused.npz into this folder."""

import numpy as np

KINDS = {
    "f4": np.array([[0.5, -1.5, 2], [3, 4, 5]], "<f4"),
    "f8": np.array([0.1, -1e300]),
    "i4": np.array([-1, 2**31 - 1], "<i4"),
    "i8": np.array([-(2**63), 7]),
    "u1": np.array([0, 255], "|u1"),
    "i1": np.array([-128, 127], "|i1"),
    "u2": np.array([0, 65535], "<u2"),
    "i2": np.array([-32768, 1], "<i2"),
    "texts": np.array(["a", "größer", "这是"]),
    "none": np.zeros((0, 4), "<f4"),
    "one": np.array(3.0),
}
REFUSED = {
    "fortran": np.asfortranarray(np.zeros((2, 3), "<f4")),
    "complex": np.zeros(2, "<c8"),
    "big": np.zeros(2, ">f4"),
    "fields": np.zeros(2, [("a", "<f4")]),
}
np.savez("network_stored.npz", **KINDS)
np.savez_compressed("network_deflated.npz", **KINDS)
np.savez("network_refused.npz", **REFUSED)
