package onetime

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
	"cove/internal/mcpserver/redaction"
	"cove/internal/secret"
	"cove/internal/secret/totp"
)

func newSetup(t *testing.T, skew time.Duration) *totp.Setup {
	t.Helper()
	s, err := totp.Parse("JBSWY3DPEHPK3PXP")
	if err != nil {
		t.Fatal(err)
	}
	s.Skew = skew
	return &s
}

// sleepUntil waits until so much of the period of a setup is left.
func sleepUntil(s *totp.Setup, left time.Duration) {
	_, now := s.Step(time.Now())
	if now < left {
		now += s.Period
	}
	<-time.After(now - left)
}

func TestACodeIsTypedOnceAndNeverAtTheEndOfItsPeriod(t *testing.T) {
	for _, skew := range []time.Duration{0, 41 * time.Second, -7 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s, c := newSetup(t, skew), &Codes{}
			next := func() (code string, waited time.Duration) {
				begun := time.Now()
				code, until, err := c.Next(t.Context(), s, 0)
				if err != nil {
					t.Fatal(err)
				}
				step, left := s.Step(time.Now())
				if code != s.Code(step) || left < minLeft || time.Until(until) != left+60*time.Second {
					t.Errorf("with a skew of %v: %v left, hidden for %v", skew, left, time.Until(until))
				}
				return code, time.Since(begun)
			}
			sleepUntil(s, 3*time.Second)
			first, waited := next()
			if waited != 0 {
				t.Errorf("a code with 3 s left was waited for: %v", waited)
			}
			second, waited := next()
			if second == first || waited != 3*time.Second {
				t.Errorf("a code was typed twice, or waited for: %v", waited)
			}
			sleepUntil(s, 2999*time.Millisecond)
			<-time.After(s.Period) // of the period after it, whose code was not typed
			if _, waited := next(); waited != 2999*time.Millisecond {
				t.Errorf("waited %v", waited)
			}
		})
	}
}

func TestTwoAgentsGetTwoCodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newSetup(t, 0), &Codes{}
		got := make(chan string, 3)
		for range cap(got) {
			go func() {
				code, _, _ := c.Next(t.Context(), s, 0)
				got <- code
			}()
		}
		a, b, third := <-got, <-got, <-got
		if a == b || b == third || a == third {
			t.Error("one code was typed twice")
		}
	})
}

func TestWaitingForACodeEndsWithTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newSetup(t, 0), &Codes{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		sleepUntil(s, 2*time.Second)
		if code, _, err := c.Next(ctx, s, 0); code != "" || err == nil {
			t.Error("a code at the end of its period")
		}
	})
}

func TestACallWaitsForACodeNoLongerThanItMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newSetup(t, 0), &Codes{}
		sleepUntil(s, 20*time.Second)
		begun := time.Now()
		first, _, err := c.Next(t.Context(), s, time.Second)
		if err != nil || first == "" {
			t.Fatalf("a code that is there: %v", err)
		}
		code, _, err := c.Next(t.Context(), s, 19*time.Second)
		if f := fault.From(err); code != "" || f.Code != fault.CodeTimeout || !strings.Contains(f.Text, "in 20 s") ||
			!strings.Contains(f.Text, "nothing was typed") || f.Hint == "" {
			t.Errorf("%q: %v", code, err)
		}
		if waited := time.Since(begun); waited > 19*time.Second {
			t.Errorf("it has waited for %v", waited)
		}
		if second, _, err := c.Next(t.Context(), s, 20*time.Second); err != nil || second == first {
			t.Errorf("the next code: %v", err)
		}
	})
}

func TestACodeIsHiddenForThreePeriods(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := redaction.New(nil, slog.New(slog.DiscardHandler))
		s, c := newSetup(t, 0), &Codes{}
		r.Hide("what a command has printed")
		code, until, err := c.Next(t.Context(), s, 0)
		if err != nil {
			t.Fatal(err)
		}
		r.HideCode(code, until)
		text := "code=" + code + "&x " + code[:3] + " " + code[3:] + " " + code[:3] + "-" + code[3:]
		<-time.After(time.Until(until) - time.Second)
		if got := r.Text(text); strings.Contains(got, code[3:]) {
			t.Errorf("it is shown: %s", got)
		}
		<-time.After(time.Second)
		if got := r.Text(text); got != text {
			t.Errorf("a number like any other is hidden: %s", got)
		}
		if got := r.Text("what a command has printed"); strings.Contains(got, "command") {
			t.Error("another secret is shown after it")
		}
	})
}

// shelf is secrets that are there.
type shelf []secret.Secret

func (s shelf) All() ([]secret.Secret, error) { return s, nil }

func (s shelf) Get(string) (secret.Secret, error) { return s[0], nil }

func TestASetupKeyIsHidden(t *testing.T) {
	r := redaction.New(shelf{{Name: "code", Kind: secret.TOTP, TOTP: newSetup(t, 0)}}, slog.New(slog.DiscardHandler))
	if got := r.Text("key JBSW Y3DP EHPK 3PXP"); strings.Contains(got, "3PXP") {
		t.Error(got)
	}
}
