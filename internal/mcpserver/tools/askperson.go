package tools

import (
	"context"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/policy"
)

func askPersonTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "ask_person",
		Text: "Ask the user for help and wait: do = act in the page (captcha, login, payment), " +
			"code = type a one-time code into uid (you never see it), choose = pick an option, text = answer.",
		ReadOnly: true, AsksPerson: true,
	}, askPerson)
}

type askPersonInput struct {
	mcpserver.OnPage
	Message string   `json:"message,omitempty"`
	Kind    string   `json:"kind,omitempty" enum:"do|code|choose|text"`
	Options []string `json:"options,omitempty"`
	UID     string   `json:"uid,omitempty"`
	Request string   `json:"request,omitempty" say:"wait on for it"`
	Cancel  bool     `json:"cancel,omitempty"`
	Wait    *number  `json:"wait,omitempty" say:"seconds"`
}

// maxAskWait is how many seconds a call can wait for a person.
const maxAskWait = 1800

func askPerson(ctx context.Context, c *mcpserver.Call, in askPersonInput) error {
	var wait *time.Duration
	if in.Wait != nil {
		if *in.Wait < 0 || *in.Wait > maxAskWait {
			return fault.Fieldf("wait", "wait must be a number of seconds from 0 to %d.", maxAskWait)
		}
		d := time.Duration(float64(*in.Wait) * float64(time.Second))
		wait = &d
	}
	if in.Request != "" {
		return askAgain(ctx, c, in, wait)
	}
	if in.Cancel {
		return fault.Fieldf("request", "Name the request to cancel.")
	}

	r := policy.Request{Kind: policy.RequestKind(in.Kind), What: strings.TrimSpace(in.Message), Options: in.Options}
	if r.Kind == "" {
		r.Kind = policy.AskHelp
	}
	on := mcpserver.Subject{UID: in.UID}
	t, err := c.AnyTab(ctx, in.OnPage)
	if err != nil && (in.PageID != nil || r.Kind == policy.AskCode) {
		return err
	}
	if err == nil {
		on.Tab = t
	}
	if r.Kind == policy.AskCode && in.UID == "" {
		return fault.Fieldf("uid", "A code needs the uid of the field that it goes into.")
	}

	var before string
	if on.Tab != nil {
		before = on.Tab.About().URL
	}
	got, err := c.AskPerson(ctx, r, on, wait)
	if err != nil {
		return err
	}
	sayAnswer(c, got)
	if on.Tab != nil && got.Answer != nil && on.Tab.About().URL != before {
		c.Say("The page has another address now. Take a new snapshot.")
	}
	return nil
}

// askAgain waits on for a request, or cancels it.
func askAgain(ctx context.Context, c *mcpserver.Call, in askPersonInput, wait *time.Duration) error {
	_, id, found := strings.Cut(in.Request, "-")
	if !found {
		id = in.Request
	}
	if in.Cancel {
		if _, err := c.CancelAsk(id); err != nil {
			return err
		}
		c.Say("Request %s is cancelled.", in.Request)
		return nil
	}
	got, err := c.AwaitPerson(ctx, id, wait)
	if err != nil {
		return err
	}
	sayAnswer(c, got)
	return nil
}

// sayAnswer says what has become of a request.
func sayAnswer(c *mcpserver.Call, r policy.Request) {
	name := c.RequestName(r.ID)
	switch r.State {
	case policy.Expired:
		c.SayUnmet(fault.CodeNotApproved, "",
			"Nobody answered request %s in time. Tell the user, and end your turn.", name)
		return
	case policy.Withdrawn:
		c.SayUnmet(fault.CodeRefused, "", "Request %s was cancelled.", name)
		return
	case policy.Cut:
		c.SayUnmet(fault.CodeRefused, "", "Request %s was ended without an answer.", name)
		return
	case policy.Working:
		c.SayWaiting(name,
			"The user is working on request %[1]s. Call ask_person {\"request\":%[1]q} to wait on.", name)
		return
	case policy.Answered:
	default:
		c.SayWaiting(name, "Nobody has answered yet (request %[1]s). Go on with something else, or call ask_person "+
			"{\"request\":\"%[1]s\"} to wait on; if you have asked three times, tell the user and end your turn.", name)
		return
	}

	a := r.Answer
	switch {
	case r.Kind == policy.AskApproval && a.Allow:
		c.Say("The user allowed it: do the same step again.")
	case r.Kind == policy.AskApproval:
		c.SayUnmet(fault.CodeRefused, "", "The user denied it.")
	case a.Decline:
		c.SayUnmet(fault.CodeRefused, "", "The user cannot or will not do this.")
	case a.Typed:
		c.Say("The user's code was typed.")
	case a.Choice != "":
		c.Say("The user chose: %s", a.Choice)
	case a.Text != "":
		c.Say("The user answered: %s", c.Redact.Text(a.Text))
	default:
		c.Say("The user has done it.")
	}
	if a.Note != "" {
		c.Say("Their note: %s", c.Redact.Text(a.Note))
	}
}
