// Package markup reads elements and their attributes in messages of the browser.
package markup

import (
	"strings"

	"cove/internal/sensitive"
)

// IsTag reports whether a node's name is that of an HTML element. An XML document may write the name with a prefix.
func IsTag(name, tag string) bool {
	name = strings.ToLower(name)
	return name == tag || strings.HasSuffix(name, ":"+tag)
}

// Attributes are the attributes of an element, by their names in lower case.
type Attributes map[string]string

// AttributesOf reads attributes from a list of n alternating names and values.
func AttributesOf(n int, at func(int) string) Attributes {
	all := make(Attributes, n/2)
	for i := 0; i+1 < n; i += 2 {
		all[strings.ToLower(at(i))] = at(i + 1)
	}

	return all
}

// Field returns what the attributes say about an input element.
func (a Attributes) Field() sensitive.Field {
	return sensitive.Field{Type: a["type"], Autocomplete: a["autocomplete"], Name: a["name"], ID: a["id"]}
}
