import random

import pytest

from victorpy.annotator import session as sessions
from victorpy.annotator.session import (
    Session,
    Suggestion,
    accepted,
    accepted_range,
    agreed_labels,
    counts,
    difference,
    found_next,
    found_previous,
    kept_words,
    labeled,
    mark_extended,
    mark_toggled,
    moved_by,
    moved_to,
    order_switched,
    redone,
    searched,
    side_taken,
    to_next_doubtful,
    to_next_kind,
    to_next_open,
    undone,
)
from victorpy.page.blocks import Label
from victorpy.page.segment import segment

LABELS = {
    "p": Label.PARAGRAPH,
    "h": Label.HEADER,
    "l": Label.LIST,
    "c": Label.CONTINUATION,
    "o": Label.OTHER,
    "-": None,
}


def labels(letters):
    return tuple(LABELS[letter] for letter in letters)


def letters(session):
    return "".join(next(letter for letter, label in LABELS.items() if label is given) for given in session.labels)


def sitting(given, suggested="", probabilities=(), **more):
    """A session with these labels, a letter each, on a page of as many blocks."""
    page = segment("".join(f"<p>block number {n}" for n in range(len(given))))
    certain = probabilities or [0.9] * len(suggested)
    suggestions = tuple(map(Suggestion, labels(suggested), certain))
    return Session(page, labels(given), suggestions, **more)


def test_a_label_is_given_and_the_cursor_moves_on():
    session = labeled(sitting("---"), Label.HEADER)

    assert (letters(session), session.cursor) == ("h--", 1)


def test_a_range_is_labeled_whole():
    session = labeled(mark_extended(mark_extended(moved_to(sitting("-----"), 1), 1), 1), Label.LIST)

    assert (letters(session), session.cursor, session.anchor) == ("-lll-", 4, None)


def test_a_range_that_was_begun_grows_with_every_movement_upwards_too():
    session = labeled(moved_by(mark_toggled(moved_to(sitting("-----"), 3)), -2), Label.OTHER)

    assert letters(session) == "-ooo-"


def test_a_label_is_taken_away_without_moving_on():
    session = labeled(moved_to(sitting("ppp"), 1), None)

    assert (letters(session), session.cursor) == ("p-p", 1)


def test_the_last_label_says_that_the_page_is_done():
    session = labeled(moved_to(sitting("pp-"), 2), Label.OTHER)

    assert session.is_done
    assert session.message == "every block of the page has a label"


def test_all_is_undone_and_redone_however_much_it_was():
    generator, begun = random.Random(1), sitting("-" * 30)
    steps = [begun]
    for _ in range(3_000):
        start = moved_to(steps[-1], generator.randrange(30))
        steps.append(labeled(mark_extended(start, generator.randrange(5)), generator.choice(list(LABELS.values()))))
    session = steps[-1]
    while session.past:
        session = undone(session)
    undone_all = letters(session)
    while session.future:
        session = redone(session)

    assert undone_all == "-" * 30
    assert letters(session) == letters(steps[-1])


def test_undoing_goes_back_to_where_the_change_was():
    session = undone(moved_to(labeled(moved_to(sitting("----"), 2), Label.HEADER), 0))

    assert (letters(session), session.cursor) == ("----", 2)


def test_a_new_label_leaves_nothing_to_redo():
    session = labeled(undone(labeled(sitting("--"), Label.HEADER)), Label.OTHER)

    assert redone(session).message == "nothing to redo"


def test_what_is_suggested_counts_as_nothing_until_it_is_accepted():
    session = sitting("---", "phl")

    assert not session.is_done
    assert sum(counts(session).values()) == kept_words(session) == 0
    assert letters(accepted(session)) == "p--"
    assert letters(accepted(mark_extended(session, 1))) == "ph-"


def test_accepting_all_on_the_screen_spares_what_was_labeled_and_goes_on_behind_it():
    session = accepted_range(sitting("-o---", "ppppp"), 0, 2)

    assert (letters(session), session.cursor) == ("pop--", 3)


@pytest.mark.parametrize("action", [accepted, order_switched, lambda session: accepted_range(session, 0, 1)])
def test_without_a_model_there_is_nothing_to_accept(action):
    session = action(sitting("--"))

    assert letters(session) == "--"
    assert session.message.startswith("no model, so no suggestions")


def test_the_next_open_block_is_the_next_of_the_page_and_round_from_the_end():
    session = moved_to(sitting("-p-p"), 0)
    visited = [session := to_next_open(session) for _ in range(2)]

    assert [session.cursor for session in visited] == [2, 0]
    assert to_next_open(moved_to(session, 2), -1).cursor == 0


def test_the_least_certain_open_block_comes_first():
    session = sitting("--p--", "ooooo", [0.9, 0.5, 0.1, 0.7, 0.5], order="uncertain")
    visited = [session := to_next_open(session) for _ in range(5)]

    assert [session.cursor for session in visited] == [1, 4, 3, 0, 1]


def test_in_the_order_of_certainty_a_label_leads_to_the_next_least_certain_block():
    session = moved_to(sitting("----", "oooo", [0.9, 0.5, 0.6, 0.7], order="uncertain"), 1)

    assert labeled(session, Label.HEADER).cursor == 2
    assert accepted(session).cursor == 2


def test_where_all_is_labeled_there_is_nowhere_to_go():
    assert to_next_open(sitting("pp")).message == "every block has a label"


def test_the_next_kind_is_where_the_label_changes():
    session = sitting("oo---", "ooopp")

    assert to_next_kind(session).cursor == 3
    assert to_next_kind(moved_to(session, 4), -1).cursor == 2


def test_the_next_doubtful_block_is_the_next_open_one_that_the_model_is_not_sure_of():
    session = sitting("-o---", "ooooo", [0.9, 0.5, 0.8, 0.6, 0.9])

    assert to_next_doubtful(session).cursor == 3
    assert to_next_doubtful(moved_to(session, 3)).message == "no more doubtful blocks in this direction"
    assert to_next_doubtful(moved_to(session, 4), -1).cursor == 3


def test_searching_goes_on_and_back_and_round():
    session = searched(sitting("-" * 12), "Number 1")
    visited = [session := found_next(session) for _ in range(3)]

    assert [session.cursor for session in visited] == [10, 11, 1]
    assert found_previous(session).cursor == 11
    assert searched(session, "nowhere").message == "not on this page: nowhere"


def test_in_a_review_only_what_is_in_dispute_is_open_and_a_side_can_be_taken():
    sides = labels("phlo"), labels("pplo")
    session = to_next_open(sitting("----", sides=sides))
    session = Session(session.page, agreed_labels(*sides), sides=sides)
    session = to_next_open(session)

    assert (letters(session), session.cursor) == ("p-lo", 1)
    assert letters(side_taken(session, 0)) == "phlo"
    assert letters(side_taken(session, 1)) == "pplo"


def test_without_a_review_there_are_no_sides():
    assert side_taken(sitting("-"), 1).message == "not a review: there are no two annotators to choose from"


def test_the_difference_is_the_smallest_stretch_that_holds_it():
    change = difference(labels("pppp"), labels("popo"))

    assert (change.first, change.after) == (1, labels("opo"))
    assert difference(labels("pp"), labels("pp")) is None


def test_words_are_kept_of_content_only():
    assert kept_words(sitting("po-l")) == 6
    assert kept_words(Session(segment(""), ())) == 0


# The best strategy


def test_a_page_that_the_model_labels_nine_tenths_right_takes_under_sixty_keys():
    right, session = nine_tenths_right(random.Random(7))
    wrong = sum(suggested.label is not label for suggested, label in zip(session.suggestions, right, strict=True))

    session, keys = played(session, right, screen=40)

    assert (len(session), wrong) == (200, 20)
    assert session.labels == right
    assert keys < 60


# How models err on pages that they have not seen: a dozen runs to twenty errors, and of half of them they are not sure.
RUNS = (1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4)


def nine_tenths_right(generator):
    """A page of 200 blocks, the right labels, and suggestions of which 180 are right."""
    right = labels("".join(generator.choice("phlco") * generator.randint(1, 12) for _ in range(200))[:200])
    suggested = [Suggestion(label, generator.uniform(0.6, 1.0)) for label in right]
    starts = sorted(generator.sample(range(0, 196, 8), len(RUNS)))
    for start, length in zip(starts, generator.sample(RUNS, len(RUNS)), strict=True):
        is_sure = generator.random() < 0.5
        for block in range(start, start + length):
            other = Label.OTHER if right[block].is_content else Label.PARAGRAPH
            suggested[block] = Suggestion(other, 0.8 if is_sure else 0.6)
    page = segment("".join(f"<p>block number {n}" for n in range(200)))
    return right, Session(page, (None,) * 200, tuple(suggested))


def played(session, right, screen):
    """Screen by screen: goes to what is wrong by the shortest way, labels it, and accepts the rest at once."""
    keys = 0
    for top in range(0, len(session), screen):
        blocks = range(top, min(top + screen, len(session)))
        while wrong := [block for block in blocks if sessions.shown_label(session, block) is not right[block]]:
            session, moves = gone_to(session, wrong[0])
            session, strokes = put_right(session, right, [block for block in wrong if block < wrong[0] + 8])
            keys += moves + strokes
        session, keys = accepted_range(session, top, blocks[-1]), keys + 1
    return session, keys


def put_right(session, right, wrong):
    """As a range, where that takes fewer keys than a label each."""
    label = right[wrong[0]]
    run = [block for block in wrong if set(right[wrong[0] : block + 1]) == {label} and block - wrong[0] < len(wrong)]
    stretched_out, moves = gone_to(mark_toggled(session), run[-1])
    if 2 + moves < len(run):
        return labeled(stretched_out, label), 2 + moves
    return labeled(session, label), 1


def gone_to(session, block):
    """By the fewest keys: steps of some kind, or else `g`, the number and Enter."""
    ways, by_number = {session.cursor: session}, 2 + len(str(block))
    for moves in range(by_number):
        if block in ways:
            return ways[block], moves
        steps = [step(found) for found in ways.values() for step in STEPS]
        ways |= {found.cursor: found for found in steps if found.cursor not in ways}
    return moved_to(session, block), by_number


STEPS = [
    lambda session: moved_by(session, 1),
    lambda session: moved_by(session, -1),
    to_next_kind,
    lambda session: to_next_kind(session, -1),
    to_next_doubtful,
    lambda session: to_next_doubtful(session, -1),
]
