package policy

import (
	"context"
	"slices"

	"cove/internal/fault"
)

// Scope is how far an approval reaches.
type Scope string

// The scopes of an approval.
const (
	Once    Scope = "once"
	Session Scope = "session" // until the agent disconnects
	OnSite  Scope = "site"    // always on the site of the request: a rule of the policy
)

// Reply is a person's answer to a request. Allow and Decline answer an approval; Done, Choice, Text and Code answer the
// other kinds, which a person can decline too.
type Reply struct {
	Allow   bool   `json:"allow,omitempty"`
	Decline bool   `json:"decline,omitempty"`
	Done    bool   `json:"done,omitempty"`
	Scope   Scope  `json:"scope,omitempty"`
	Note    string `json:"note,omitempty"`
	Choice  string `json:"choose,omitempty"`
	Text    string `json:"text,omitempty"`
	// Typed says that Cove has typed the code.
	Typed bool `json:"typed,omitempty"`
	// By is who answered: person, policy, or the client in which the person did.
	By string `json:"by"`
	// Code is what Cove is to type. It is never stored.
	Code string `json:"-"`
}

// Reply answers a request. A code is typed before the answer counts: if that fails, the request stays open.
func (e *Enforcer) Reply(ctx context.Context, id string, answer Reply) error {
	e.mu.Lock()
	r, err := e.requests.find(id)
	if err == nil {
		err = r.accepts(&answer)
	}
	if err != nil || answer.Code == "" {
		defer e.mu.Unlock()
		if err != nil {
			return err
		}
		return e.answer(r, answer)
	}
	typeCode := r.Type
	r.typing = true
	e.mu.Unlock()

	err = typeCode(ctx, answer.Code)

	e.mu.Lock()
	defer e.mu.Unlock()
	r.typing = false
	if err != nil {
		return err
	}
	answer.Code, answer.Typed = "", true
	return e.answer(r, answer)
}

// answer ends a request with an answer. The caller holds mu.
func (e *Enforcer) answer(r *request, answer Reply) error {
	if answer.Allow && answer.Scope == Session && r.admission != nil && !r.admission.ended {
		r.admission.granted = append(r.admission.granted, r.grant())
	}
	answer.Allow, answer.Done = answer.Allow && r.Kind == AskApproval, answer.Done && r.Kind == AskHelp
	if !e.move(r, Answered, &answer) {
		return noRequest()
	}
	return nil
}

// accepts checks that an answer fits the request. The caller holds the enforcer's mu.
func (r *request) accepts(a *Reply) error {
	late := r.State == Expired && r.Kind == AskApproval && a.Allow
	if !r.State.IsOpen() && !late {
		return noRequest()
	}
	if r.typing {
		return fault.New(fault.CodeRequestBusy, "The code for this request is being typed.", "Wait a moment.")
	}
	if a.Decline {
		return nil
	}
	switch r.Kind {
	case AskApproval:
		if !a.Allow {
			return wrongAnswer("allow", "Allow the request or deny it.")
		}
		if a.Scope == OnSite && r.Site == "" {
			return wrongAnswer("scope", "Allow it once, or for this session: it is not about a site.")
		}
	case AskHelp:
		if !a.Done {
			return wrongAnswer("done", "Answer with done, or decline it.")
		}
	case AskChoice:
		if !slices.Contains(r.Options, a.Choice) {
			return wrongAnswer("choose", "Choose one of the options, or decline it.")
		}
	case AskText:
		if a.Text == "" {
			return wrongAnswer("text", "Answer with a text, or decline it.")
		}
	case AskCode:
		if a.Code == "" {
			return wrongAnswer("code", "Answer with a code, or decline it.")
		}
	}
	return nil
}

func wrongAnswer(field, hint string) error {
	return fault.Fieldf(field, "This answer does not fit the request.").WithHint(hint)
}

// Decide approves or denies a request. With always, the approval also holds for later requests of the same agent and
// class, until it disconnects.
func (e *Enforcer) Decide(id string, yes, always bool) error {
	return e.decide(id, yes, always, "person")
}

// decide is Decide with the name of who decided. A request for help is done or declined.
func (e *Enforcer) decide(id string, yes, always bool, by string) error {
	answer := Reply{Allow: yes, Done: yes, Decline: !yes, By: by}
	if yes && always {
		answer.Scope = Session
	}
	return e.Reply(context.Background(), id, answer) // without a code it does not wait
}
