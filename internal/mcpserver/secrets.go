package mcpserver

import (
	"context"
	"net/url"
	"time"

	"cove/internal/fault"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/page/input"
	"cove/internal/policy/site"
	"cove/internal/secret"
	"cove/internal/wording"
)

// Secret returns what is written for a text with marks in it: {{secret:NAME}}, or {{totp:NAME}} alone. It is written
// only on the sites of its secrets.
func (c *Call) Secret(t *page.Tab, text string) (*Secret, error) {
	if c.Redact.Store() == nil {
		return nil, fault.New(fault.CodeNoSecret, "This profile has no secrets.",
			"The user can set one: cove secret set NAME --profile ID --site ORIGIN")
	}
	name, err := secret.TOTPName(text)
	if err != nil {
		return nil, err
	}

	s := &Secret{call: c, tab: t, text: text}
	if name != "" {
		one, err := c.Redact.Store().Get(name)
		if err == nil && one.Kind != secret.TOTP {
			err = fault.Invalidf("The secret %s is not for one-time codes.", name).
				WithHint("Write {{secret:" + name + "}}.")
		}
		if err != nil {
			return nil, err
		}
		s.used, s.code = []secret.Secret{one}, true
	} else if err := s.find(); err != nil {
		return nil, err
	}
	c.Redact.Current() // from now on its value is redacted, also when it is removed meanwhile
	return s, nil
}

// Secret is a text with secrets in it that a call writes into a field.
type Secret struct {
	call *Call
	tab  *page.Tab
	text string
	used []secret.Secret // in the order in which the text names them
	code bool            // the text is one one-time code

	origin string // of the field
}

// find looks up the secrets that a text names.
func (s *Secret) find() error {
	_, err := secret.Expand(s.text, func(name string) (string, error) {
		one, err := s.call.Redact.Store().Get(name)
		if err == nil && one.Kind == secret.TOTP {
			err = fault.Invalidf("The secret %s is for one-time codes.", name).WithHint("Write {{totp:" + name + "}}.")
		}
		s.used = append(s.used, one)
		return "", err
	})
	return err
}

// Input returns what the keyboard's side of the tab writes.
func (s *Secret) Input() input.Secret {
	return input.Secret{
		Allowed: func(origin string) error {
			s.origin = origin
			return checkOrigin(s.used, origin)
		},
		Value: s.value,
	}
}

// value returns the text with the secrets in place of their marks.
func (s *Secret) value(ctx context.Context) (string, error) {
	if s.code {
		return s.nextCode(ctx)
	}
	i := -1
	return secret.Expand(s.text, func(name string) (string, error) {
		i++
		one := s.used[i]
		if one.Command == nil {
			return one.Value, nil
		}
		stop := s.call.progress.Waiting(ctx, "Waiting for the command of "+name)
		defer stop()
		value, err := one.Command.Run(ctx, name)
		if err == nil {
			s.call.Redact.Hide(value)
		}
		return value, err
	})
}

// nextCode returns a one-time code that has not been typed, and waits for one if it has to.
func (s *Secret) nextCode(ctx context.Context) (string, error) {
	one := s.used[0]
	stop := s.call.progress.Waiting(ctx, "Waiting for the next one-time code")
	defer stop()
	code, until, err := s.call.shared.codes.Next(ctx, one.TOTP, s.call.limit)
	if err != nil {
		return "", err
	}
	s.call.Redact.HideCode(code, until)
	return code, nil
}

// maxClockError is how far a site's clock may be from ours before the answer says so.
const maxClockError = 15 * time.Second

// ReportClock says in the call's answer what may be wrong with a one-time code that was written.
func (s *Secret) ReportClock() {
	ahead, known := s.tab.Log.ClockAhead(s.origin)
	if !s.code || !known {
		return
	}
	one := s.used[0]
	off := ahead - one.TOTP.Skew
	if off.Abs() <= maxClockError {
		return
	}
	direction := "ahead of"
	if off < 0 {
		direction = "behind"
	}
	s.call.Say("The clock of the site is %.0f s %s the one that this code is for. If the site refuses the code, "+
		"the user can correct that: cove secret set %s --profile ID --totp --skew %.0f",
		off.Abs().Seconds(), direction, one.Name, ahead.Seconds())
}

func checkOrigin(used []secret.Secret, origin string) error {
	var o site.Origin
	ok := false
	if u, err := url.Parse(origin); err == nil {
		o, ok = site.OriginOf(u)
	}

	for _, one := range used {
		if !ok || !one.Site.Matches(o) {
			return fault.New(fault.CodeSecretSite, "The secret "+one.Name+" is for "+one.Site.String()+
				" and the field is on "+wording.Shorten(redaction.URLText(origin), 200)+", so it was not typed.",
				"Check that this is the page that the user means.")
		}
	}
	return nil
}
