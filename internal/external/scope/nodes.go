package scope

import (
	"encoding/json"
	"errors"
	"strings"

	"cove/internal/cdp"
)

// judgeNodes refuses nodes of other pages. The browser finds nodes by numbers that all pages of one process share, and
// only DOM.resolveNode checks to which page a node belongs (TestFactsOfNodesInOneProcess).
func (b *Browser) judgeNodes(s *session, c command) verdict {
	var nodes []int
	if c.has("backendNodeIds") && json.Unmarshal(c.params["backendNodeIds"], &nodes) != nil {
		return refuse("backendNodeIds is not a list of numbers.")
	}
	if c.has("backendNodeId") {
		node, ok := c.number("backendNodeId")
		if !ok {
			return refuse("backendNodeId is not a number.")
		}
		nodes = append(nodes, node)
	}
	if len(nodes) == 0 {
		return pass()
	}
	s.locating = true
	return verdict{nodes: true, later: func() verdict {
		for _, node := range nodes {
			var r struct {
				Object struct {
					ID string `json:"objectId"`
				} `json:"object"`
			}
			const group = "cove-scope"
			err := b.calls.query(c.at, "DOM.resolveNode", object{"backendNodeId": node, "objectGroup": group}, &r)
			switch refusal := new(cdp.Error); {
			case errors.As(err, &refusal):
				return refuse("No node found for given backend id")
			case err != nil:
				return refuse("The page does not answer, so nothing was done.")
			}
			b.calls.post(c.at, "Runtime.releaseObject", object{"objectId": r.Object.ID})
		}
		return pass()
	}}
}

// followsNodes reports whether a command must not overtake an earlier command that names a node: typed text goes where
// the focus is.
func followsNodes(c command) bool {
	return strings.HasPrefix(c.method, "Input.") || strings.HasPrefix(c.method, "DOM.") ||
		c.has("backendNodeId") || c.has("backendNodeIds")
}

// goOn carries out the commands that waited while the browser was asked where a node is.
func (b *Browser) goOn(at string) {
	for {
		b.mu.Lock()
		s := b.sessions.byID[at]
		if s == nil {
			b.mu.Unlock()
			return
		}
		if s.locating = false; len(s.behind) == 0 {
			b.mu.Unlock()
			return
		}
		c := s.behind[0]
		s.behind = s.behind[1:]
		v := b.judge(c)
		again := s.locating // then it goes on when that is answered
		s.locating = true   // whatever comes meanwhile waits
		b.mu.Unlock()
		if err := b.carryOut(c, v); err != nil {
			b.out.reply(c, nil, refused(err.Error()))
		}
		if again {
			return
		}
	}
}
