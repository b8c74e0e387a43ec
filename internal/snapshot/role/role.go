// Package role says how a snapshot shows the nodes of each ARIA role.
package role

import (
	"strings"
	"sync"
)

// Class says how a snapshot shows a node that has nothing to say besides its role.
type Class uint8

// These are the classes of roles.
const (
	Ordinary Class = iota // a line of its own
	Landmark              // a line of its own, and context for its content
	Heading               // context for what follows it
	Textual               // a text
	Dropped               // never shown
	Breaks                // a line break inside a text
	Inline                // formatting inside a text
	Block                 // layout: its children take its place, unless it is one of many nodes of the same shape
	Solo                  // layout if it has only one child
	Graphic               // shown when it has a name
	Frame                 // holds another document
)

// Of returns the class of a role.
func Of(role string) Class {
	switch role {
	case "banner", "navigation", "main", "complementary", "contentinfo", "form", "region", "search", "dialog",
		"alertdialog", "RootWebArea", "menu", "toolbar", "tabpanel":
		return Landmark
	case "heading":
		return Heading
	case "text", "StaticText":
		return Textual
	case "InlineTextBox", "ListMarker":
		return Dropped
	case "LineBreak":
		return Breaks
	case "strong", "emphasis", "mark", "code", "subscript", "superscript", "time", "Abbr", "abbr", "Ruby",
		"RubyAnnotation", "term", "definition":
		return Inline
	case "generic", "none", "presentation", "ignored", "paragraph", "LabelText", "Legend", "Figcaption", "caption",
		"Pre", "rowgroup", "cell", "gridcell", "rowheader", "columnheader", "group", "section", "Section",
		"sectionheader", "sectionfooter", "DescriptionListTerm", "DescriptionListDetail", "DescriptionListDetails",
		"LayoutTable", "LayoutTableRow", "LayoutTableCell", "Canvas", "Details", "Header", "Footer",
		"HeaderAsNonLandmark", "FooterAsNonLandmark", "":
		return Block
	case "list", "listitem", "row", "DescriptionList", "figure", "blockquote", "article":
		return Solo
	case "image", "img", "separator", "SvgRoot", "graphics-symbol", "graphics-document":
		return Graphic
	case "Iframe", "IframePresentational":
		return Frame
	}
	return Ordinary
}

// roleNames maps the roles of most nodes to themselves, for Intern.
var roleNames = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, r := range []string{
		"banner", "navigation", "main", "complementary", "contentinfo", "form", "region", "search", "dialog",
		"alertdialog",
		"RootWebArea", "menu", "toolbar", "tabpanel", "heading", "text", "StaticText", "strong", "emphasis", "code",
		"generic", "paragraph", "LabelText", "cell", "gridcell", "rowheader", "columnheader", "group", "list",
		"listitem",
		"row", "figure", "blockquote", "article", "image", "img", "separator", "Iframe", "link", "button", "textbox",
		"checkbox", "radio", "combobox", "option", "listbox", "tab", "menuitem", "searchbox", "spinbutton", "slider",
		"switch", "table", "status", "alert", "treeitem",
	} {
		all[r] = r
	}
	return all
})

// IsToggle reports whether the label of a control with this role stands after it.
func IsToggle(role string) bool {
	switch role {
	case "checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio":
		return true
	}
	return false
}

// IsGroup reports whether the first text in an element of this role identifies the element among its siblings.
func IsGroup(role string) bool {
	return role == "row" || role == "listitem" || role == "article" || role == "treeitem"
}

// Intern returns the same role in a string that shares no memory with the page's source. For most nodes it needs no
// copy.
func Intern(role string) string {
	if known, ok := roleNames()[role]; ok {
		return known
	}
	return strings.Clone(role)
}
