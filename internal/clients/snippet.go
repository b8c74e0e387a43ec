package clients

import "strings"

// Snippet is the text that a person can paste into a client's file.
func Snippet(c Client, x Entry) string {
	return strings.TrimSuffix(c.Format.editor().fresh(c.Key, x.Name, c.Shape(x), "\n"), "\n")
}
