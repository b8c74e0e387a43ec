//go:build e2e

package tools

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// differences are the cases in which the walker does not say what Chromium says, each with the reason.
var differences = map[string]string{
	"forms/label-embedded-password": hidesPassword,
	"names/lb-password":             hidesPassword,
	"names/password-in":             hidesPassword,
	"names/c-video":                 namesPlayer,
	"roles/video":                   namesPlayer,
	"roles/audio":                   namesPlayer,
	"tables/css-imgrep-link":        "an element that is replaced by its own content property is rare, and asking every element costs too much",
	"tables/css-table":              laidOut,
	"tables/css-row":                laidOut,
	"tables/css-cell":               laidOut,
}

const (
	hidesPassword = "Chromium counts a password's characters; the walker tells nothing of it"
	namesPlayer   = "Chromium names a player after the error message in its own controls"
	laidOut       = "boxes laid out as a table by CSS are boxes: a snapshot dissolves both"
)

// spoken is how one side sees an element.
type spoken struct{ Role, Name string }

func TestAccnameAgreesWithChromium(t *testing.T) {
	w := newWalked(t)
	pages, err := filepath.Glob("testdata/accname/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	cases, roles, names := 0, 0, 0
	for _, file := range pages {
		base := filepath.Base(file)
		w.load("/accname/" + base)
		ours, theirs := w.ours(), w.theirs()
		if raw, _ := os.ReadFile(file); len(ours) < strings.Count(string(raw), "data-case=")-10 {
			t.Errorf("%s: only %d of its cases were found", base, len(ours))
		}
		for id, mine := range ours {
			cases++
			name := strings.TrimSuffix(base, ".html") + "/" + id
			his := theirs[id]
			if mine.Role != his.Role {
				roles++
			}
			if mine.Name != his.Name {
				names++
			}
			reason, listed := differences[name]
			switch {
			case mine != his && !listed:
				t.Errorf("%s: Chromium says %s %q, the walker %s %q", name, his.Role, his.Name, mine.Role, mine.Name)
			case mine == his && listed:
				t.Errorf("%s agrees after all: take it off the list (%s)", name, reason)
			}
		}
	}
	t.Logf("%d cases: roles agree in %.2f %%, names in %.2f %%", cases, share(cases, roles), share(cases, names))
	if cases < 300 || share(cases, roles) <= 99 || share(cases, names) <= 99 {
		t.Errorf("of %d cases %d differ in role and %d in name", cases, roles, names)
	}
}

func share(all, bad int) float64 { return 100 * float64(all-bad) / float64(max(all, 1)) }

// eachCase calls visit with every marked element, in shadow trees too.
const eachCase = `(() => { const found = {}; const look = (root) => { for (const el of root.querySelectorAll('*')) {
	if (el.shadowRoot) look(el.shadowRoot);
	if (el.dataset?.case ?? el.getAttribute('data-case'))
		found[el.getAttribute('data-case')] = cove.describe(cove.id(el)); } };
	look(document); return found; })()`

// ours is what the walker says of each case.
func (w *walked) ours() map[string]spoken {
	w.t.Helper()
	var found map[string]struct {
		Role, Name string
		Shown      bool
	}
	w.in(eachCase, &found)
	all := map[string]spoken{}
	for id, f := range found {
		all[id] = alike(f.Role, f.Name, !f.Shown)
	}
	return all
}

// theirs is what Chromium's accessibility tree says of each case.
func (w *walked) theirs() map[string]spoken { return w.marked("data-case") }

// marked is what Chromium's accessibility tree says of the elements with an attribute, by its value.
func (w *walked) marked(attribute string) map[string]spoken {
	w.t.Helper()
	type value struct{ Value any }
	var tree struct {
		Nodes []struct {
			Ignored          bool
			BackendDOMNodeID int
			Role, Name       value
		}
	}
	w.call("Accessibility.enable", nil, nil)
	w.call("Accessibility.getFullAXTree", nil, &tree)
	byNode := map[int]spoken{}
	for _, n := range tree.Nodes {
		role, _ := n.Role.Value.(string)
		name, _ := n.Name.Value.(string)
		byNode[n.BackendDOMNodeID] = alike(role, name, n.Ignored)
	}
	w.call("Accessibility.disable", nil, nil)

	type domNode struct {
		BackendNodeID         int
		Attributes            []string
		Children, ShadowRoots []*domNode
	}
	var document struct{ Root *domNode }
	w.call("DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &document)
	all := map[string]spoken{}
	var look func(*domNode)
	look = func(n *domNode) {
		for i := 0; i+1 < len(n.Attributes); i += 2 {
			if n.Attributes[i] == attribute {
				s, ok := byNode[n.BackendNodeID]
				if !ok {
					s = alike("none", "", true)
				}
				all[n.Attributes[i+1]] = s
			}
		}
		for _, c := range append(n.Children, n.ShadowRoots...) {
			look(c)
		}
	}
	look(document.Root)
	return all
}

var blanks = regexp.MustCompile(`[ \t\n\r\f]+`)

// alike makes both sides comparable: a box without a meaning is a box whether Chromium ignores it or not, and spaces
// around a name mean nothing.
func alike(role, name string, ignored bool) spoken {
	if ignored || role == "none" {
		return spoken{Role: "generic"}
	}
	return spoken{role, strings.Trim(blanks.ReplaceAllString(name, " "), " ")}
}
