package httpapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"cove/internal/account"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/session"
)

// startRules says who may open profiles.
type startRules struct{ plan, agents error }

func (startRules) LoggedIn(context.Context) error                  { return nil }
func (r startRules) Automation(context.Context) error              { return r.plan }
func (r startRules) Agents(context.Context, profile.Profile) error { return r.agents }

// TestABrowserThatNobodyCanShareGetsNoProfile: the first start would fail anyway, and leave the profile.
func TestABrowserThatNobodyCanShareGetsNoProfile(t *testing.T) {
	dataDir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dataDir, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dataDir, "Local State"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	body := `{"name":"mine","dataDir":` + strconv.Quote(filepath.ToSlash(dataDir)) + `}`
	for name, row := range map[string]struct {
		rules  startRules
		status int
		code   string
		made   bool
	}{
		"after a panic":      {startRules{agents: policy.SuspendedError()}, 403, "E_PANIC", false},
		"with the Free plan": {startRules{plan: account.Account{Plan: account.Free}.MayAutomate()}, 402, "E_PLAN_AUTOMATION", false},
		"otherwise":          {startRules{}, 200, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.rebuild(func(c *Config) {
				profiles, _ := c.Profiles.(rows)
				c.Sessions = session.New(session.Config{Profiles: profiles, Access: row.rules,
					Log: slog.New(slog.DiscardHandler), AtOnce: 1})
			})
			o.want(row.status, row.code, ownersToken, "POST", "/adopt", body)
			var list struct{ Data []json.RawMessage }
			_, _, answer := o.send(ownersToken, "GET", "/browser_profiles", "")
			if err := json.Unmarshal([]byte(answer), &list); err != nil || (len(list.Data) == 2) != row.made {
				t.Errorf("%v, profiles: %s", err, answer)
			}
		})
	}
}
