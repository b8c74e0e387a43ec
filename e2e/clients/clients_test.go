//go:build e2e

package clients

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"cove/e2e/harness"
)

func TestPuppeteerPlaywrightAndSeleniumAtTheSameTime(t *testing.T) {
	for name, options := range map[string][]harness.Option{"headless": nil, "headed": {harness.Headed}} {
		t.Run(name, func(t *testing.T) {
			a, web := harness.Start(t, options...), harness.NewSite(t)
			port := a.Open(1)
			var got map[string]struct {
				Seen []string
				Shot bool
			}
			harness.Node(t, &got, "three.mjs", strconv.Itoa(port), web.URL+"/form")
			for who, letter := range map[string]string{"puppeteer": "p", "playwright": "w", "selenium": "s"} {
				r := got[who]
				if len(r.Seen) != 8 || !r.Shot {
					t.Errorf("%s saw %v, screenshot %v", who, r.Seen, r.Shot)
				}
				for i, said := range r.Seen {
					if said != fmt.Sprintf("%s %s%d", who, letter, i) {
						t.Errorf("%s saw %q in round %d", who, said, i)
					}
				}
			}
			if state, mode := a.State(1); state != "open" || mode != "automation" {
				t.Errorf("after its clients have gone the profile is %q %q", state, mode)
			}
		})
	}
}

func TestALoginSetRightBeforeStopIsKept(t *testing.T) {
	for _, mode := range []string{"automation", "ordinary"} {
		for name, options := range map[string][]harness.Option{"headless": nil, "headed": {harness.Headed}} {
			t.Run(mode+" "+name, func(t *testing.T) {
				a, web := harness.Start(t, options...), harness.NewSite(t)
				open := func(page string) {
					a.Own("PATCH", "/v1.0/browser_profiles/1", fmt.Sprintf(`{"startPages":[%q]}`, web.URL+page))
					// noTabs would open a blank page; without it the last tabs come back. A changed start page needs
					// neither.
					if mode == "ordinary" {
						a.OpenOrdinary(1)
						return
					}
					a.Open(1)
				}
				open("/login")
				web.Report(t, "login")
				a.Close(1)
				if err := harness.ForgetTabs(a, 1); err != nil {
					t.Fatal(err)
				}
				open("/check")
				r := web.Report(t, "check")
				cookie, _ := r["cookie"].(string)
				if !strings.Contains(cookie, "kept=yes") || !strings.Contains(cookie, "session=yes") ||
					r["local"] != "yes" || r["db"] != "yes" {
					t.Errorf("after stop and start the page finds %v", r)
				}
				if want := mode == "automation"; r["webdriver"] != want {
					t.Errorf("navigator.webdriver is %v in %s mode", r["webdriver"], mode)
				}
				a.Close(1)
			})
		}
	}
}
