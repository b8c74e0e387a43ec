package mcpserver

import (
	"context"
	"net/url"
	"strings"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/input"
	"cove/internal/policy"
	"cove/internal/secret"
)

// marked tells whether a secret is to be typed.
func marked(text string) bool { return secret.Mark.MatchString(text) }

// fill gives an element a value, in which {{secret:NAME}} stands for a secret of the person's; with an empty uid the one that has
// the focus.
func (c *call) fill(ctx context.Context, t *page.Tab, uid, value string) (page.Effects, string, error) {
	if !marked(value) {
		if err := c.maySend(ctx, t, uid, "fill", func() (input.SubmitRisk, error) { return input.On(t).AssessFill(ctx, uid) }); err != nil {
			return page.Effects{}, "", err
		}
		e, now, err := input.On(t).Fill(ctx, uid, value)
		c.diary.told = c.diary.told && e.Open
		return e, now, err
	}
	e, err := c.conceal(ctx, t, uid, value)
	return e, "", err
}

func (c *call) conceal(ctx context.Context, t *page.Tab, uid, text string) (page.Effects, error) {
	if c.server.Secrets == nil {
		return page.Effects{}, fault.New(fault.NotFound, "E_NO_SECRET", "This profile has no secrets.", "The person can set one: cove secret set NAME --profile ID --site ORIGIN")
	}
	var sites []policy.Site
	var names []string
	var failed error
	value := secret.Mark.ReplaceAllStringFunc(text, func(mark string) string {
		one, err := c.server.Secrets.Get(strings.TrimSpace(secret.Mark.FindStringSubmatch(mark)[1]))
		if err != nil {
			failed = err
			return ""
		}
		sites, names = append(sites, one.Site), append(names, one.Name)
		return one.Value
	})
	if failed != nil {
		return page.Effects{}, failed
	}
	c.server.hider() // from now on it is hidden, also when it is removed meanwhile
	return input.On(t).FillSecret(ctx, uid, value, func(origin string) error {
		u, err := url.Parse(origin)
		for i, site := range sites {
			o, ok := policy.Origin{}, false
			if err == nil {
				o, ok = policy.OriginOf(u)
			}
			if !ok || !site.Matches(o) {
				return fault.New(fault.Denied, "E_SECRET_SITE", "The secret "+names[i]+" is for "+site.String()+" and the field is on "+clip(urlText(origin), 200)+", so it was not typed.",
					"Check that this is the page that the person means.")
			}
		}
		return nil
	})
}

// maySend asks before a step that may send a form with a password or a payment field. After the person's yes it must still be what
// they saw.
func (c *call) maySend(ctx context.Context, t *page.Tab, uid, how string, weigh func() (input.SubmitRisk, error)) error {
	if c.server.Enforcer.Rules().Right(policy.Submit) == policy.Yes {
		return nil
	}
	s, err := weigh()
	if err != nil || s.Kind == "" {
		return err
	}
	asked := c.seat.NeedsApproval(policy.Submit)
	what := how + " the " + s.What + ", which may send a form with a " + s.Kind + " field"
	if s.Action != "" {
		what += " to " + clip(c.address(s.Action), 200)
	}
	if s.Frame != "" && s.Frame != t.About().URL {
		what += ", in the frame " + clip(c.address(s.Frame), 200)
	}
	if err := c.may(ctx, policy.Submit, subject{tab: t, uid: uid}, what); err != nil || !asked {
		return err
	}
	if now, err := weigh(); err != nil || now != s {
		return fault.New(fault.Conflict, "E_CHANGED", "The page has changed while the person was asked. Nothing was done.", "Take a new snapshot and try again.")
	}
	return nil
}
