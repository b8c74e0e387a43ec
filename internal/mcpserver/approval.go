package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/input"
	"cove/internal/policy"
	"cove/internal/policy/site"
	"cove/internal/sensitive"
	"cove/internal/wording"
)

// Approval asks the profile's policy for what one call wants to do, and the person where the policy says so.
type Approval struct {
	enforcer  *policy.Enforcer
	admission *policy.Admission
	peer      *peer
	progress  *progress
	redact    *Redactor
}

// Subject is what a question to the person is about: a page, and an element of it.
type Subject struct {
	Tab *page.Tab
	UID string
	// late says that the call has done something already, so that the client must not send it again.
	late bool
}

// Allows reports whether the policy allows this class of actions without a question.
func (a *Approval) Allows(class policy.Class) bool {
	return a.enforcer.Rules().Right(class) == policy.Yes
}

// Authorize asks for one action. The words of what complete "The agent wants to …".
func (a *Approval) Authorize(ctx context.Context, class policy.Class, on Subject, what string) error {
	r := policy.Request{Class: class, What: a.redact.Text(what)}
	if on.Tab != nil {
		r.Page = a.redact.pageURL(on.Tab)
		r.What += " on " + wording.Shorten(URLText(r.Page), 200)
	}
	if !a.admission.NeedsApproval(class) {
		return a.admission.Authorize(ctx, r)
	}

	elicits := a.isAnswerer() && a.peer.canElicit()
	if elicits && a.peer.isStateless() {
		if !on.late {
			return a.elicitInAnswer(ctx, r)
		}
		elicits = false
	}
	if on.Tab != nil {
		r.Thumbnail = on.Tab.Camera.Thumbnail(ctx, on.UID)
	}
	if elicits {
		r.Elsewhere = func(ctx context.Context) (yes, ok bool) {
			reply, err := a.peer.session.Elicit(ctx, yesOrNo(question(r)))
			return err == nil && reply.Action == "accept", err == nil && reply.Action != "cancel"
		}
	}

	stop := a.progress.waiting(ctx, "Waiting for the person to allow it")
	defer stop()
	return a.admission.Authorize(ctx, r)
}

// AuthorizeURL asks for an address that an agent wants to open. "" is no address.
func (a *Approval) AuthorizeURL(ctx context.Context, address string) error {
	if address == "" {
		return nil
	}

	rules := a.enforcer.Rules()
	v := rules.URL(address)
	if v.Class == policy.Local && rules.Right(policy.Local) == policy.Ask {
		return a.Authorize(ctx, policy.Local, Subject{}, "open "+wording.Shorten(URLText(address), 200))
	}
	if rules.Permits(v) {
		return nil
	}

	u, err := url.Parse(address)
	if err != nil || v.Blocked || v.Class != policy.Leave || rules.Right(policy.Leave) != policy.Ask {
		return v.Refusal(URLText(address))
	}
	origin, ok := site.OriginOf(u)
	if !ok {
		return v.Refusal(URLText(address))
	}

	what := "go to " + origin.String() + ", which is not on the list of allowed sites"
	if err := a.Authorize(ctx, policy.Leave, Subject{}, what); err != nil {
		return err
	}
	a.enforcer.Grant(origin)
	return nil
}

// AuthorizeSubmit asks before a step that may send a form with a password, a code or a payment, also where the page
// cannot be read. assess looks at the page; after the person's yes it must find what it found before. how is the step,
// in words.
func (a *Approval) AuthorizeSubmit(
	ctx context.Context, on Subject, how string, assess func() (input.SubmitRisk, error),
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

func question(r policy.Request) string { return "The agent wants to " + r.What + ". Allow it?" }

// elicitInAnswer asks a stateless client.
func (a *Approval) elicitInAnswer(ctx context.Context, r policy.Request) error {
	sum := sha256.Sum256([]byte(string(r.Class) + "\n" + r.What + "\n" + r.Page))
	accepted, err := a.peer.elicit(ctx, "allow "+hex.EncodeToString(sum[:8]), question(r))
	if err != nil {
		return err
	}
	return a.admission.RecordAnswer(r, accepted)
}
