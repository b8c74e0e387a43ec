// Package document has the trees of a page's documents, which the walker, a script in the page, has made.
package document

import (
	"strconv"
	"strings"
)

// Doc is one document of a page. Parse sets what the walker saw; the caller sets Label, Frames and Unread.
type Doc struct {
	Version    int64  // changes when the document changed
	Shape      int64  // changes when elements came or went, attributes changed or something was loaded
	Title      string // as the page gave it
	URL        string
	Root       *Node
	IDs        []int // elements that may have a closed shadow root
	Unreported int   // nodes that the walker did not report

	// Label makes uids unique in a browser: the uid of a node is the label of its document followed by its id.
	Label string
	// Frames has the documents of iframes, by the id of the iframe element.
	Frames map[int]*Doc
	// Unread says why the document of an iframe could not be read, by the id of the iframe element.
	Unread map[int]string
}

// Node is one node of a document. Its strings are as the page gave them, not cleaned yet.
type Node struct {
	ID     int // 0 for a node without a uid
	Role   string
	Name   string
	Desc   string
	Value  string
	URL    string
	Text   string
	States []State
	Act    bool // agents can act on it
	Frame  bool // an iframe element with a document of its own
	Kids   []*Node
}

// State is one property of a node. Booleans are "true" and "false".
type State struct{ Key, Value string }

// Iframes lists the ids of the iframe elements, in the order of the page.
func (d *Doc) Iframes() []int {
	var ids []int
	var walk func(n *Node)
	walk = func(n *Node) {
		if n.Frame && n.ID != 0 {
			ids = append(ids, n.ID)
		}
		for _, k := range n.Kids {
			walk(k)
		}
	}
	if d.Root != nil {
		walk(d.Root)
	}
	return ids
}

// Label returns the label with number n, from 0: a to z, then aa, ab and so on.
func Label(n int) string {
	var b [16]byte
	i := len(b)
	for n = max(n, 0) + 1; n > 0; n = (n - 1) / 26 {
		i--
		b[i] = 'a' + byte((n-1)%26)
	}
	return string(b[i:])
}

// ParseUID splits a uid into its label and its id. It accepts "uid=a57", which models copy from the text.
func ParseUID(s string) (label string, id int, ok bool) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "uid=")
	letters := 0
	for letters < len(s) && s[letters] >= 'a' && s[letters] <= 'z' {
		letters++
	}
	digits := s[letters:]
	if letters == 0 || letters > 8 || digits == "" || len(digits) > 15 || digits[0] == '0' {
		return "", 0, false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return "", 0, false
		}
	}
	id, err := strconv.Atoi(digits)
	return s[:letters], id, err == nil
}
