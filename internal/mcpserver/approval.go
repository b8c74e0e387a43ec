package mcpserver

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/fault"
	"cove/internal/mcpserver/peer"
	"cove/internal/mcpserver/progress"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/page/risk"
	"cove/internal/policy"
	"cove/internal/policy/site"
	"cove/internal/sensitive"
	"cove/internal/wording"
)

// Approval asks the profile's policy for what one call wants to do, and the person where the policy says so.
type Approval struct {
	enforcer  *policy.Enforcer
	admission *policy.Admission
	peer      *peer.Peer
	progress  *progress.Reporter
	redact    *redaction.Redactor
	enter     func(context.Context, *page.Tab) error
	patience  time.Duration
	step      string                       // the tool and its arguments: steps that differ may have the same words
	where     func(context.Context) string // names the tab that the step is for
	guard     *tabGuard                    // of the step; nil for none
	held      *heldLock                    // the lock of the page that the call works on; nil for none
	part      bool                         // of a batch, which the client cannot send again for one of its steps
	used      []policy.Request             // the yeses that the call has used up
	done      int                          // how many of them were for steps before this one
}

// heldLock is a page's lock that a call has.
type heldLock struct {
	tab     *page.Tab
	release func()
}

// letOthers gives up the lock of the call's page until back: a person may take minutes, and other calls must not.
func (a *Approval) letOthers() (back func(ctx context.Context) error) {
	a.guard.exitTab()
	held := a.held
	if held == nil {
		return func(context.Context) error { return nil }
	}
	held.release()
	held.release = func() {}
	return func(ctx context.Context) error {
		if err := a.enter(ctx, held.tab); err != nil {
			return err
		}
		release, err := held.tab.Lock(ctx)
		if err == nil {
			held.release = release
		}
		return err
	}
}

// Subject is what a question to the person is about: a page, and an element of it.
type Subject struct {
	Tab *page.Tab
	UID string
	// frames are further addresses that the step concerns.
	frames []string
	// bound limits an approval for the whole session, and version tells steps apart whose arguments are the same.
	bound, version string
	// told is what the agent reads of the question, where the person reads words of the page; "" for the same.
	told string
	// late says that the call has done something already, so that the client must not send it again.
	late bool
}

// thumbnail returns an image of the subject for the person, and where its element is in the tab's window.
func (s Subject) thumbnail(ctx context.Context) ([]byte, *policy.Box) {
	thumbnail := s.Tab.Camera.Thumbnail(ctx, s.UID)
	if s.UID == "" || thumbnail == nil { // without an image the page does not answer
		return thumbnail, nil
	}
	r, seen := s.Tab.Where(ctx, s.UID)
	if !seen {
		return thumbnail, nil
	}
	return thumbnail, &policy.Box{X: r.X, Y: r.Y, W: r.Width, H: r.Height}
}

// stepOn returns what tells the step from others that have the same words.
func (a *Approval) stepOn(ctx context.Context, on Subject) string {
	step := a.step + on.version
	if on.Tab == nil && a.where != nil { // else the request has it
		step += a.where(ctx)
	}
	return step
}

// Allows reports whether the policy allows this class of actions without a question.
func (a *Approval) Allows(class policy.Class) bool {
	return a.enforcer.Rules().Right(class) == policy.Yes
}

// Authorize asks for one action. The words of what complete "The agent wants to …".
func (a *Approval) Authorize(ctx context.Context, class policy.Class, on Subject, what string) error {
	r := policy.Request{
		Class: class, What: a.redact.Text(what), Element: on.UID, Step: a.stepOn(ctx, on), Bound: on.bound,
		Frames: on.frames, Patience: a.patience,
	}
	if on.told != "" {
		r.WhatForAgent = a.redact.Text(on.told)
	}
	if on.Tab != nil {
		r.Page, r.Tab = a.redact.PageURL(on.Tab), on.Tab.ID()
		where := " on " + wording.Shorten(redaction.URLText(r.Page), 200)
		r.What += where
		if r.WhatForAgent != "" {
			r.WhatForAgent += where
		}
	}
	if !a.admission.NeedsApprovalOf(r) {
		return a.admission.Authorize(ctx, r)
	}

	if on.Tab != nil {
		r.Thumbnail, r.Box = on.thumbnail(ctx)
	}
	elicits := a.isAnswerer() && a.peer.CanElicit()
	switch {
	case elicits && a.peer.IsStateless() && !on.late && !a.part:
		if err := a.elicitInAnswer(ctx, r); err != nil {
			return err
		}
	case elicits && !a.peer.IsStateless():
		r.Elsewhere = func(ctx context.Context) (yes, ok bool) {
			reply, err := a.peer.Session.Elicit(ctx, peer.YesOrNo(question(r)))
			return err == nil && reply.Action == "accept", err == nil && reply.Action != "cancel"
		}
	}

	stop := a.progress.Waiting(ctx, "Waiting for the person to allow it")
	defer stop()
	back := a.letOthers()
	if err := a.admission.Authorize(ctx, r); err != nil {
		if fault.From(err).Code == fault.CodeNotApproved && !on.late { // the agent does the same again
			a.returnUsed(a.done)
		}
		return err
	}
	err := back(ctx)
	if err != nil { // the person works in the page, or the client has given up
		a.admission.ReturnYes(r)
		return err
	}
	a.used = append(a.used, r)
	return nil
}

// returnUsed gives back the yeses from one on of a call that has done nothing with them and comes again.
func (a *Approval) returnUsed(from int) {
	for _, r := range a.used[from:] {
		a.admission.ReturnYes(r)
	}
	a.used = a.used[:from]
}

// AuthorizeURL asks for an address that an agent wants to open. "" is no address.
func (a *Approval) AuthorizeURL(ctx context.Context, address string) error {
	if address == "" {
		return nil
	}

	rules := a.enforcer.Rules()
	v := rules.URL(address)
	if v.Class == policy.Local && rules.Right(policy.Local) == policy.Ask {
		return a.Authorize(ctx, policy.Local, Subject{}, "open "+wording.Shorten(redaction.URLText(address), 200))
	}
	if rules.Permits(v) {
		return nil
	}

	u, err := url.Parse(address)
	if err != nil || v.Blocked || v.Class != policy.OtherSite || rules.Right(policy.OtherSite) != policy.Ask {
		return v.Refusal(redaction.URLText(address))
	}
	origin, ok := site.OriginOf(u)
	if !ok {
		return v.Refusal(redaction.URLText(address))
	}

	used := a.used
	what := "go to " + origin.String() + ", which is not on the list of allowed sites"
	if err := a.Authorize(ctx, policy.OtherSite, Subject{frames: []string{origin.String()}}, what); err != nil {
		return err
	}
	a.enforcer.Grant(origin)
	a.used = used // the call that comes again has the grant
	return nil
}

// AuthorizeSubmit asks before a step that may send a form with a password, a code or a payment, also where the page
// cannot be read. assess looks at the page; after the person's yes it must find what it found before. how is the step,
// in words.
func (a *Approval) AuthorizeSubmit(
	ctx context.Context, on Subject, how string, assess func() (risk.Submit, error),
) error {
	if a.Allows(policy.Submit) {
		return nil
	}
	s, err := assess()
	if err != nil || s.Kind == sensitive.None {
		return err
	}

	what := how + " the " + s.What + ", which may send a form with " + fieldOf(s.Kind)
	if s.Action != "" {
		what += " to " + wording.Shorten(a.redact.URL(s.Action), 200)
	}
	if s.Frame != "" && s.Frame != on.Tab.About().URL {
		what += ", in the frame " + wording.Shorten(a.redact.URL(s.Frame), 200)
	}

	for _, other := range []string{s.Action, s.Frame} {
		if other != "" {
			on.frames = append(on.frames, other)
		}
	}
	asked := a.admission.NeedsApproval(policy.Submit)
	if err := a.Authorize(ctx, policy.Submit, on, what); err != nil || !asked {
		return err
	}
	now, err := assess()
	if err == nil && (now == s || s.Kind == sensitive.Unknown && now.Kind == sensitive.None) {
		return nil
	}
	return fault.New(fault.CodePageChanged,
		"The page has changed while the person was asked. Nothing was done.", "Take a new snapshot and try again.")
}

// fieldOf names the field of a form in the question to the person.
func fieldOf(kind sensitive.Kind) string {
	switch kind {
	case sensitive.Password:
		return "a password field"
	case sensitive.Code:
		return "a one-time code field"
	case sensitive.Payment:
		return "a payment field"
	}
	return "a password or payment field (Cove could not check the page)"
}

// isAnswerer reports whether the person has allowed this client to be where they answer.
func (a *Approval) isAnswerer() bool {
	return slices.Contains(a.enforcer.Rules().Answerers, a.admission.Agent().Name)
}

// mayElicitFile reports whether the person may be asked for a file in their client.
func (a *Approval) mayElicitFile() bool {
	return !a.enforcer.Rules().BindsPrograms() || a.isAnswerer()
}

func question(r policy.Request) string { return "The agent wants to " + r.What + ". Allow it?" }

// elicitInAnswer asks a stateless client. When the client calls again it answers the request with the reply; a person
// who has closed the question there can still answer elsewhere.
func (a *Approval) elicitInAnswer(ctx context.Context, r policy.Request) error {
	asked, err := a.admission.Ask(r)
	if err != nil || asked == nil || !asked.State.IsOpen() {
		return err
	}
	key := "allow " + asked.ID
	reply, found := a.peer.Replies[key]
	if !found {
		return &peer.InputRequired{Requests: mcp.InputRequestMap{key: peer.YesOrNo(question(r))}}
	}
	result, _ := reply.(*mcp.ElicitResult)
	if result == nil || result.Action == "cancel" {
		return nil
	}
	yes := result.Action == "accept"
	answer := policy.Reply{Allow: yes, Decline: !yes, By: a.admission.Agent().Name}
	_ = a.enforcer.Reply(ctx, asked.ID, answer) // somebody else may have been faster
	return nil
}
