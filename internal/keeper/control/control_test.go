package control

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/cdp"
	"cove/internal/page"
	"cove/internal/policy"
)

// desk is a person before a browser that answers everything.
type desk struct {
	*Controller
	t         *testing.T
	browser   *page.Browser
	enforcer  *policy.Enforcer
	forgotten []string
	ended     []string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, browser: page.New(slog.New(slog.DiscardHandler)), enforcer: policy.NewEnforcer(policy.Policy{})}
	var conn *cdp.Conn
	conn = cdp.NewConn(func(raw []byte) error {
		var m struct {
			ID int `json:"id"`
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return err
		}
		conn.Receive(fmt.Appendf(nil, `{"id":%d,"result":{}}`, m.ID))
		return nil
	}, d.browser.Event)
	if err := d.browser.Start(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	d.enforcer.OnEvent(func(e policy.Event) {
		if e.Name == "control ended" {
			raw, _ := json.Marshal(e.Args)
			d.ended = append(d.ended, string(raw))
		}
	})
	d.Controller = New(Config{
		Enforcer: d.enforcer, Log: slog.New(slog.DiscardHandler),
		Forget:  func(tab string) { d.forgotten = append(d.forgotten, tab) },
		Address: func(address string) string { return address },
	})
	d.open("one", "")
	return d
}

func (d *desk) open(tab, opener string) {
	d.report("", "Target.attachedToTarget", fmt.Sprintf(
		`{"sessionId":"S-%s","targetInfo":{"targetId":%q,"type":"page","url":"https://a.test/","openerId":%q}}`,
		tab, tab, opener))
}

func (d *desk) report(session, method, params string) {
	d.browser.Event(cdp.Event{Session: session, Method: method, Params: json.RawMessage(params)})
}

func (d *desk) begin(tab string) {
	d.t.Helper()
	if err := d.Begin(d.t.Context(), d.browser, tab); err != nil {
		d.t.Fatal(err)
	}
	synctest.Wait()
}

// endedAs checks how the control of every tab has ended.
func (d *desk) endedAs(why policy.ControlEnd, n int) {
	d.t.Helper()
	synctest.Wait()
	if len(d.ended) != n || !strings.Contains(d.ended[n-1], string(why)) || len(d.State()) > 0 ||
		d.enforcer.AnyControlled() || len(d.forgotten) != n {
		d.t.Errorf("ended %v, left %+v, forgotten %v", d.ended, d.State(), d.forgotten)
	}
}

func TestAPersonsControlEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(d *desk)
		why  policy.ControlEnd
		tabs int
	}{
		"by handing back": {func(d *desk) {
			if err := d.End("one", "a note"); err != nil {
				d.t.Error(err)
			}
		}, policy.HandedBack, 1},
		"with its tab": {func(d *desk) {
			d.report("", "Target.targetDestroyed", `{"targetId":"one"}`)
		}, policy.TabClosed, 1},
		"when all agents are stopped": {func(d *desk) { d.enforcer.Suspend(true) }, policy.Stopped, 1},
		"when nobody looks or works": {func(d *desk) {
			stop := d.Watch("one")
			<-time.After(2 * goneLimit)
			synctest.Wait()
			if len(d.ended) > 0 {
				d.t.Error("it ended although the live view is open")
			}
			stop()
			<-time.After(goneLimit + 2*goneCheck)
		}, policy.WindowGone, 1},
		"with the tabs that were opened from it": {func(d *desk) {
			d.open("two", "one")
			synctest.Wait()
			if !d.enforcer.Controlled("two") || d.State()[1].Opener != "one" {
				d.t.Errorf("the popup is not the person's: %+v", d.State())
			}
			if err := d.End("one", ""); err != nil {
				d.t.Error(err)
			}
		}, policy.HandedBack, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t)
				d.begin("one")
				d.begin("one") // again is no error
				if !d.enforcer.Controlled("one") || len(d.State()) != 1 {
					t.Fatalf("%+v", d.State())
				}
				c.end(d)
				d.endedAs(c.why, c.tabs)
				if err := d.End("one", ""); err == nil {
					t.Error("it was handed back twice")
				}
				if _, err := d.Input(t.Context(), "one", 1, nil); err == nil {
					t.Error("input without control")
				}
			})
		})
	}
}

func TestATabThatIsNotThereCannotBeControlled(t *testing.T) {
	d := newDesk(t)
	if err := d.Begin(t.Context(), d.browser, "nowhere"); err == nil {
		t.Error("it can")
	}
}

func TestNamesOfFilesHaveNoFolders(t *testing.T) {
	for name, want := range map[string]string{
		"a.txt": "a.txt", "../../etc/passwd": "passwd", `C:\x\b.doc`: "b.doc", "..": "file", "": "file",
		"a\x00b:c": "a_b_c", "ü.pdf.": "ü.pdf",
	} {
		if got := cleanName(name); got != want {
			t.Errorf("%q became %q", name, got)
		}
	}
}
