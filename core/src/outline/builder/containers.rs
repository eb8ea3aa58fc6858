//! Nodes that hold others, with or without an element of their own.

use super::{Builder, Container, End, DEEPEST};
use crate::html::tags;
use crate::outline::roles::Role;
use crate::outline::{Kind, Node, Part};
use crate::page::Page;

impl<'p> Builder<'p> {
    pub(super) fn innermost(&self) -> Option<Kind> {
        self.containers.last().map(|container| container.kind)
    }

    pub(super) fn open_container(&mut self, element: usize, kind: Kind) -> usize {
        self.end_draft();
        let next = self.enter(element, End::Block);
        if self.containers.len() < DEEPEST {
            let is_part = matches!(kind, Kind::Row { .. } | Kind::Cell { .. } | Kind::Caption);
            if !is_part {
                self.open_implied_part(element as u32);
            }
            self.push(kind, element as u32, false);
        }
        next
    }

    pub(super) fn push(&mut self, kind: Kind, element: u32, is_implied: bool) {
        self.count += 1;
        if self.containers.len() < DEEPEST {
            let container = Container { kind, element, number: self.count, node: None, last_item: None, is_implied };
            self.containers.push(container);
        }
    }

    /// Closes all but the first `count` containers.
    pub(super) fn truncate(&mut self, count: usize) {
        while self.containers.len() > count {
            if let Some(Container { node: Some(node), .. }) = self.containers.pop() {
                self.outline.nodes[node as usize].end = self.outline.nodes.len() as u32;
            }
        }
        self.written = self.written.min(count);
    }

    /// Opens the item or the cell that a text in a list or a table needs.
    pub(super) fn open_implied_part(&mut self, element: u32) {
        let cell = Kind::Cell { is_header: false, columns: 1, rows: 1 };
        match self.innermost() {
            Some(Kind::List(_)) => self.open_implied_item(element),
            Some(Kind::Row { .. }) => self.push(cell, element, true),
            Some(Kind::Table) => {
                self.push(Kind::Row { is_header: false }, element, true);
                self.push(cell, element, true);
            }
            _ => {}
        }
    }

    /// Text in a list outside of its items continues the item before it.
    pub(super) fn open_implied_item(&mut self, element: u32) {
        let last = self.containers.last().and_then(|list| list.last_item);
        self.push(Kind::Item, element, true);
        self.reopen(last);
    }

    /// Opens a node again if nothing follows it.
    pub(super) fn reopen(&mut self, node: Option<u32>) -> bool {
        let length = self.outline.nodes.len() as u32;
        let node = node.filter(|&node| self.outline.nodes[node as usize].end == length);
        let is_next = self.written + 1 == self.containers.len();
        if let (Some(node), Some(last), true) = (node, self.containers.last_mut(), is_next) {
            last.node = Some(node);
            self.written += 1;
            return true;
        }
        false
    }

    /// Opens a list for items outside of lists. Neighbours share one list.
    pub(super) fn open_implied_list(&mut self, element: u32) {
        let around = self.containers.last().map_or(0, |container| container.number);
        let last = self.implied_list.filter(|&(_, container)| container == around).map(|(list, _)| list);
        self.push(Kind::List(None), element, true);
        self.reopen(last);
    }

    /// Closes containers without an element; they may be opened again.
    pub(super) fn close_implied(&mut self) {
        let implied = self.containers.iter().rev().take_while(|container| container.is_implied).count();
        self.truncate(self.containers.len() - implied);
    }

    /// Writes the nodes of all open containers.
    pub(super) fn write_containers(&mut self) {
        while self.written < self.containers.len() {
            let container = self.containers[self.written];
            let number = self.outline.nodes.len() as u32;
            let node = self.node(container.kind, container.element);
            self.outline.nodes.push(node);
            self.containers[self.written].node = Some(number);
            match container.kind {
                Kind::Item if self.written > 0 => self.containers[self.written - 1].last_item = Some(number),
                Kind::List(_) if container.is_implied => {
                    let around = self.written.checked_sub(1).map_or(0, |around| self.containers[around].number);
                    self.implied_list = Some((number, around));
                }
                _ => {}
            }
            self.written += 1;
        }
    }

    pub(super) fn node(&self, kind: Kind, element: u32) -> Node {
        let end = self.outline.nodes.len() as u32 + 1;
        let element = self.page.elements.origin[element as usize];
        let empty = Part::default();
        Node { kind, end, text: empty, spans: empty, blocks: empty, element, runs: (0, 0), word: 0 }
    }

    pub(super) fn add_rule(&mut self) {
        self.end_draft();
        self.has_rule = (!self.outline.nodes.is_empty()).then(|| self.containers.last().map_or(0, |last| last.number));
    }

    pub(super) fn write_rule(&mut self) {
        let around = self.containers.last().map_or(0, |last| last.number);
        if self.has_rule.take() == Some(around)
            && !matches!(self.innermost(), Some(Kind::List(_) | Kind::Row { .. } | Kind::Table))
        {
            self.write_containers();
            let element = self.frames.last().map_or(0, |frame| frame.element);
            let node = self.node(Kind::Rule, element);
            self.outline.nodes.push(node);
        }
    }
}

pub(super) fn container(role: Role, page: &Page, element: usize) -> Kind {
    match role {
        Role::Quote => Kind::Quote,
        Role::Figure => Kind::Figure,
        Role::Details => Kind::Details,
        Role::Definitions => Kind::Definitions,
        _ => Kind::List(start(page, element)),
    }
}

/// The number of the first item of an ordered list.
fn start(page: &Page, element: usize) -> Option<u32> {
    let origin = page.elements.origin[element] as usize;
    if page.tree.tags[origin] != tags::OL {
        return None;
    }
    let start = page.tree.attribute(origin, "start").and_then(|start| start.trim().parse::<u32>().ok());
    Some(start.unwrap_or(1).min(999_999_999))
}
