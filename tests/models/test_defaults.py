from victorpy.models.defaults import DEFAULT_MODEL, config_to_train


def test_the_config_of_the_default_model_is_not_trained_from_scratch(caplog):
    caplog.set_level("INFO")

    assert config_to_train(None) == "cleaneval"
    (message,) = caplog.messages
    assert message.startswith(
        "config cleaneval, because that of the default model web trains a network, which needs JAX"
    )


def test_a_named_config_is_taken_without_a_word(caplog):
    caplog.set_level("INFO")

    assert config_to_train(DEFAULT_MODEL) == "web"
    assert not caplog.messages
