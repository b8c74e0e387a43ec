package snapshot

import (
	"strings"
	"sync"
)

// class says what becomes of a node with a role when it has nothing of its own to say.
type class uint8

const (
	ordinary class = iota // a line of its own
	landmark              // the same, and context for what is in it
	heading               // context for what follows it
	textual               // a text
	dropped               // never shown
	breaks                // a line break inside a text
	inline                // formatting inside a text
	block                 // layout: its children take its place, unless it is one of many of the same shape
	solo                  // layout once it holds one thing only
	graphic               // shown when it has a name
	frame                 // holds another document
)

// classOf returns the class of a role.
func classOf(role string) class {
	switch role {
	case "banner", "navigation", "main", "complementary", "contentinfo", "form", "region", "search", "dialog",
		"alertdialog", "RootWebArea", "menu", "toolbar", "tabpanel":
		return landmark
	case "heading":
		return heading
	case "text", "StaticText":
		return textual
	case "InlineTextBox", "ListMarker":
		return dropped
	case "LineBreak":
		return breaks
	case "strong", "emphasis", "mark", "code", "subscript", "superscript", "time", "Abbr", "abbr", "Ruby",
		"RubyAnnotation", "term", "definition":
		return inline
	case "generic", "none", "presentation", "ignored", "paragraph", "LabelText", "Legend", "Figcaption", "caption",
		"Pre", "rowgroup", "cell", "gridcell", "rowheader", "columnheader", "group", "section", "Section",
		"sectionheader", "sectionfooter", "DescriptionListTerm", "DescriptionListDetail", "DescriptionListDetails",
		"LayoutTable", "LayoutTableRow", "LayoutTableCell", "Canvas", "Details", "Header", "Footer",
		"HeaderAsNonLandmark", "FooterAsNonLandmark", "":
		return block
	case "list", "listitem", "row", "DescriptionList", "figure", "blockquote", "article":
		return solo
	case "image", "img", "separator", "SvgRoot", "graphics-symbol", "graphics-document":
		return graphic
	case "Iframe", "IframePresentational":
		return frame
	}
	return ordinary
}

// roleNames has the roles of most nodes.
var roleNames = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, r := range []string{
		"banner", "navigation", "main", "complementary", "contentinfo", "form", "region", "search", "dialog", "alertdialog",
		"RootWebArea", "menu", "toolbar", "tabpanel", "heading", "text", "StaticText", "strong", "emphasis", "code",
		"generic", "paragraph", "LabelText", "cell", "gridcell", "rowheader", "columnheader", "group", "list", "listitem",
		"row", "figure", "blockquote", "article", "image", "img", "separator", "Iframe", "link", "button", "textbox",
		"checkbox", "radio", "combobox", "option", "listbox", "tab", "menuitem", "searchbox", "spinbutton", "slider",
		"switch", "table", "status", "alert", "treeitem",
	} {
		all[r] = r
	}
	return all
})

// isToggle reports whether a control has its label behind it.
func isToggle(role string) bool {
	switch role {
	case "checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio":
		return true
	}
	return false
}

// isGroup reports whether the first text in elements of a role says which one it is.
func isGroup(role string) bool {
	return role == "row" || role == "listitem" || role == "article" || role == "treeitem"
}

// Intern returns a role that shares no memory with the page's source: nearly always one that we know.
func intern(role string) string {
	if known, ok := roleNames()[role]; ok {
		return known
	}
	return strings.Clone(role)
}
