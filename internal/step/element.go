package step

import "strings"

// roles are the ARIA roles for which people have another word.
var roles = map[string]string{
	"textbox": "field", "searchbox": "search field", "spinbutton": "number field", "combobox": "list",
	"listbox": "list", "menuitem": "menu item", "menuitemcheckbox": "menu item", "menuitemradio": "menu item",
	"menubar": "menu", "radio": "option", "radiogroup": "options", "switch": "switch", "checkbox": "checkbox",
	"progressbar": "progress bar", "scrollbar": "scroll bar", "tabpanel": "tab panel", "tablist": "tabs",
	"treeitem": "tree item", "gridcell": "cell", "columnheader": "column heading", "rowheader": "row heading",
	"listitem": "list item", "img": "picture", "image": "picture", "Iframe": "frame", "StaticText": "text",
	"RootWebArea": "page", "alertdialog": "dialog", "contentinfo": "footer", "banner": "header",
	"generic": "element", "none": "element", "presentation": "element", "paragraph": "text", "LabelText": "label",
	"DateTime": "date field", "Date": "date field", "ColorWell": "color field", "Video": "video", "Audio": "audio",
	"Canvas": "drawing", "Details": "details", "DisclosureTriangle": "details",
}

// String returns an element as a person knows it: the button "Refund order", a field.
func (e *Element) String() string {
	if e == nil || e.Role == "" {
		return "an element"
	}

	word, ok := roles[e.Role]
	if !ok {
		word = oneLine(strings.ToLower(e.Role), 40)
	}
	if name := quote(e.Name); name != "" {
		return "the " + word + " " + name
	}
	return article(word) + " " + word
}

func article(word string) string {
	if word != "" && strings.ContainsRune("aeiou", rune(word[0])) {
		return "an"
	}
	return "a"
}
