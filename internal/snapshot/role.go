package snapshot

// class says what becomes of a node with a role when it has nothing of its own to say.
type class uint8

const (
	kept     class = iota // a line of its own
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

var classes = func() map[string]class {
	all := map[string]class{}
	for c, roles := range map[class][]string{
		landmark: {"banner", "navigation", "main", "complementary", "contentinfo", "form", "region", "search", "dialog",
			"alertdialog", "RootWebArea", "menu", "toolbar", "tabpanel"},
		heading: {"heading"},
		textual: {"text", "StaticText"},
		dropped: {"InlineTextBox", "ListMarker"},
		breaks:  {"LineBreak"},
		inline: {"strong", "emphasis", "mark", "code", "subscript", "superscript", "time", "Abbr", "abbr", "Ruby",
			"RubyAnnotation", "term", "definition"},
		block: {"generic", "none", "presentation", "ignored", "paragraph", "LabelText", "Legend", "Figcaption", "caption",
			"Pre", "rowgroup", "cell", "gridcell", "rowheader", "columnheader", "group", "section", "Section", "sectionheader",
			"sectionfooter", "DescriptionListTerm", "DescriptionListDetail", "DescriptionListDetails", "LayoutTable",
			"LayoutTableRow", "LayoutTableCell", "Canvas", "Details", "Header", "Footer", "HeaderAsNonLandmark",
			"FooterAsNonLandmark", ""},
		solo:    {"list", "listitem", "row", "DescriptionList", "figure", "blockquote", "article"},
		graphic: {"image", "img", "separator", "SvgRoot", "graphics-symbol", "graphics-document"},
		frame:   {"Iframe", "IframePresentational"},
	} {
		for _, r := range roles {
			all[r] = c
		}
	}
	return all
}()

// roleNames holds the roles of most nodes, to be shared by pictures.
var roleNames = func() map[string]string {
	all := map[string]string{}
	for r := range classes {
		all[r] = r
	}
	for _, r := range []string{"link", "button", "textbox", "checkbox", "radio", "combobox", "option", "listbox", "tab", "menuitem",
		"searchbox", "spinbutton", "slider", "switch", "table", "status", "alert", "treeitem"} {
		all[r] = r
	}
	return all
}()

// toggles have their label behind them.
var toggles = map[string]bool{"checkbox": true, "radio": true, "switch": true, "menuitemcheckbox": true, "menuitemradio": true}
