package widgets

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Caller calls a tool of a running server.
type Caller interface {
	Call(tool string, arguments map[string]any) (text string, failed bool, err error)
}

// Agent works with one page through one server. It acts as a sensible agent does: it reads the snapshot, acts, and
// reads what came of it.
type Agent struct {
	Server Server
	Caller Caller
	Note   func(format string, args ...any) // tells what was called and answered

	Calls int
	Texts []string // arguments and answers, for whoever prices them

	tree  *Tree
	fresh bool   // the tree is what the page shows now
	said  string // the last answer
}

// errLost ends a goal that the agent cannot reach by what it sees.
var errLost = errors.New("the agent does not know what to do")

func lost(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errLost, fmt.Sprintf(format, args...))
}

// do makes one call and tells whether the server calls it a success.
func (a *Agent) do(c Call) bool {
	raw, err := json.Marshal(c.Arguments)
	if err != nil {
		panic(err)
	}
	text, failed, err := a.Caller.Call(c.Tool, c.Arguments)
	if err != nil {
		text, failed = err.Error(), true
	}
	a.Calls++
	a.Texts = append(a.Texts, c.Tool+" "+string(raw), text)
	if a.Note != nil {
		a.Note("> %s %s\n%s", c.Tool, raw, text)
	}
	a.said = text
	before := a.tree
	a.tree = a.Server.Read(text, a.tree)
	a.fresh = a.tree != before || a.tree != nil && sinceLine.MatchString(text)
	return !failed
}

// see is what the page shows now.
func (a *Agent) see() *Tree {
	if !a.fresh || a.tree == nil {
		a.do(a.Server.Look(a.tree))
	}
	if a.tree == nil {
		a.tree = &Tree{}
	}
	return a.tree
}

// again looks once more at a page that may have changed by itself.
func (a *Agent) again() *Tree {
	a.fresh = false
	return a.see()
}

func (a *Agent) click(n *Node) bool              { return a.do(a.Server.Click(n, false)) }
func (a *Agent) doubleClick(n *Node) bool        { return a.do(a.Server.Click(n, true)) }
func (a *Agent) hover(n *Node) bool              { return a.do(a.Server.Hover(n)) }
func (a *Agent) fill(n *Node, v string) bool     { return a.do(a.Server.Fill(n, v)) }
func (a *Agent) key(k string) bool               { return a.do(a.Server.Key(k, true)) }
func (a *Agent) keyBlind(k string) bool          { return a.do(a.Server.Key(k, false)) }
func (a *Agent) typeInto(n *Node, s string) bool { return a.do(a.Server.Type(n, s)) }
func (a *Agent) drag(from, to *Node) bool        { return a.do(a.Server.Drag(from, to)) }

func (a *Agent) upload(n *Node, path string) bool {
	for _, c := range a.Server.Upload(n, path) {
		if !a.do(c) {
			return false
		}
	}
	return true
}

// thought is how long an agent takes at least between two looks at a page that does not show yet what it waits for. A
// model needs longer.
const thought = 400 * time.Millisecond

// until looks until something is there; a page that loads needs a moment.
func (a *Agent) until(what func(*Tree) *Node) *Node {
	if n := what(a.see()); n != nil {
		return n
	}
	for range 2 {
		<-time.After(thought)
		if n := what(a.again()); n != nil {
			return n
		}
	}
	return nil
}

// now is the same element in the latest snapshot: by its uid, else by role and name.
func (a *Agent) now(n *Node) *Node {
	t := a.see()
	if m := t.byRef(n.Ref); m != nil && m.Role == n.Role {
		return m
	}
	return t.first(actable, role(n.Role), named(n.Name))
}
