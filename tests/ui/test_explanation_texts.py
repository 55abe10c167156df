from explorer.attention.steps import SENTENCES, Sentence
from explorer.ui.texts import EXPLANATIONS, told


def test_every_sentence_of_an_explanation_is_there_for_translators() -> None:
    assert EXPLANATIONS == SENTENCES


def test_values_with_words_are_put_in() -> None:
    hidden = Sentence("hidden_key", {"masks": "the causal and window masks"})
    assert (
        told(hidden) == "Hidden by the causal mask and the window mask: the weight is 0 whatever the score."
    )
    assert told(Sentence("nan_from", {"name": "α₁,₂, head 2"})) == "The NaN comes from α₁,₂, head 2."
