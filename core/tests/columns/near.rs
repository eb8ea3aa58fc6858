use crate::pages::column;

#[test]
fn an_element_is_as_near_as_it_is_far_up() {
    let html = "<div class=\"post-comments\"><ul><li><p>one</p></li></ul><p id=reply>two</p></div><p>three</p>";

    assert_eq!(column("near.comment", html), [3.0, 0.0, 64.0]);
    assert_eq!(column("near.ad", html), [64.0, 64.0, 64.0]);
}

#[test]
fn only_names_are_read() {
    for (attribute, distance) in [
        ("class=sidebar", 0.0),
        ("CLASS='left sideBar'", 0.0),
        ("id=side", 0.0),
        ("rel=side", 0.0),
        ("itemprop=side", 0.0),
        ("title=side", 64.0),
        ("data-class=side", 64.0),
        ("class=inside", 64.0),
    ] {
        assert_eq!(column("near.side", &format!("<p {attribute}>one</p>")), [distance], "{attribute}");
    }
}

#[test]
fn what_is_far_is_nowhere() {
    let nested = format!("<div class=nav>{}one{}</div>", "<div>".repeat(62), "</div>".repeat(62));

    assert_eq!(column("near.nav", &nested), [62.0]);
    assert_eq!(column("near.nav", &format!("<div><div>{nested}</div></div>")), [62.0]);
    assert_eq!(column("near.nav", &nested.replace("one", "<b><b><b>one</b></b></b>")), [64.0]);
}

#[test]
fn of_a_long_value_the_begin_is_read() {
    let long = format!("<p class=\"{} menu\">one</p>", "x".repeat(1_000_000));

    assert_eq!(column("near.nav", &long), [64.0]);
}
