package input

import "cove/internal/page/dom"

func elementOf(role, name string) dom.Element {
	return dom.Element{Role: role, Name: name, World: dom.World{Document: &dom.Document{Label: "a"}}, ID: 1}
}
