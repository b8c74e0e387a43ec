package mcpserver

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"cove/internal/answer"
	"cove/internal/fault"
	"cove/internal/mcpserver/files"
	"cove/internal/mcpserver/peer"
	"cove/internal/mcpserver/redaction"
	"cove/internal/policy"
	"cove/internal/wording"
)

// CallTool runs a tool of any group for a command in a shell.
func (s *Server) CallTool(ctx context.Context, in answer.Call) answer.Answer {
	at := slices.IndexFunc(s.config.Tools, func(t Tool) bool { return t.Name == in.Tool })
	if at < 0 {
		var names []string
		for _, t := range s.config.Tools {
			names = append(names, t.Name)
		}
		return answer.Answer{Error: fault.New(fault.CodeNotFound,
			"There is no tool "+wording.Quoted(wording.Shorten(in.Tool, 60))+".",
			fault.Suggest(in.Tool, names...)+"docs/tools.md lists them.")}
	}

	agent := policy.Agent{
		Kind: policy.Shell, Name: plainName(in.Name),
		Version: wording.Shorten(redaction.URLText(in.Version), 50), PID: in.PID,
	}
	c := s.caller(in.Caller())
	c.admissions.CloseWhenIdle()
	call, err := s.serveCall(ctx, c, s.config.Tools[at], toolRequest{
		agent: agent, name: agent.Name, arguments: in.Arguments, peer: &peer.Peer{},
		folders: &files.Folders{Dir: in.Dir}, patience: patienceFor(in), limit: in.Patience, out: in.Out,
	})
	if s.config.Shells != nil {
		if pages, documents, ok := c.pages.Update(); ok {
			s.config.Shells.Remember(in.Caller(), pages, documents)
		}
	}
	return s.answerOf(call, err, in.Text)
}

// plainName returns the name of an agent in a shell, which is its own word, without anything that could be taken for
// ours.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, strings.TrimSpace(name))
	return cmp.Or(wording.Shorten(name, 60), "shell")
}

// Shells returns the agents in shells that have used the profile, by the names of their sessions.
func (s *Server) Shells() (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.callers {
		if answer.IsShell(name) {
			names = append(names, name)
		}
	}
	return names
}

// patienceFor is how long a call waits for a person.
func patienceFor(in answer.Call) time.Duration {
	if in.Patience > 0 {
		return in.Patience
	}
	return shellPatienceOf(in.Name)
}

// answerOf returns the result of a call without secrets.
func (s *Server) answerOf(call *Call, err error, withText bool) answer.Answer {
	a := answer.Answer{Parts: call.parts, Waiting: call.waiting, Out: call.out}
	if t := call.Record.Tab; t != nil && !t.Closed() {
		tab := call.DescribeTab(t)
		a.Tab = &tab
	}
	if err == nil {
		a.Error = call.unmet
	} else {
		a.Parts, a.Error = call.parts[:call.failed], faultOf(err)
	}
	if withText {
		a.Text = call.render()
		if call.image != nil {
			a.Image = &answer.Image{MIME: call.image.MIME, Data: call.image.Data}
		}
	}
	a.Map(s.shared.redact.Text)
	return a
}
