package keeper

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/cdp"
	"cove/internal/external/scope"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/profile"
	"cove/internal/session"
)

// sharing is a keeper that waits for the person whose browser it shall share.
func sharing(t *testing.T) *keeper {
	t.Helper()
	home := newHome(t)
	k := newKeeper(keeperclient.Spec{ID: 1, Dir: home.Profile(1), Panic: home.Panic(),
		External: profile.External{DataDir: t.TempDir(), Dir: "Default"}}, slog.New(slog.DiscardHandler))
	t.Cleanup(k.begin(t.Context()))
	return k
}

func TestTheEndOfASharingThatFailed(t *testing.T) {
	for name, row := range map[string]struct {
		err  error
		code fault.Code
		end  session.EndReason
	}{
		"the browser is gone":   {fmt.Errorf("read: %w", cdp.ErrClosed), fault.CodeAdoptLost, session.BrowserQuit},
		"nobody allowed it":     {context.DeadlineExceeded, fault.CodeTimeout, session.LetGo},
		"the profile has moved": {fault.New(fault.CodeAdoptNoBrowser, "No.", ""), fault.CodeAdoptNoBrowser, session.LetGo},
	} {
		t.Run(name, func(t *testing.T) {
			k := sharing(t)
			if failed := k.failStart(row.err); failed.Code != row.code {
				t.Errorf("it failed with %s", failed.Code)
			}
			<-k.shared.ended
			if end := k.endReason(); end != row.end {
				t.Errorf("it ended as %q, not %q", end, row.end)
			}
		})
	}
}

func TestATakeoverOfASharingThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := sharing(t)
		got, err := k.policy.takeovers.start(t.Context())
		if err != nil || got.Window || !k.enforcer.State().TakenOver {
			t.Errorf("%+v %v", got, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if got, err := k.policy.takeovers.end(ctx); err != nil || got.Window || got.Changes != "" || ctx.Err() != nil {
			t.Errorf("%+v %v", got, err)
		}
		if k.enforcer.State().TakenOver {
			t.Error("it is not given back")
		}
	})
}

// tabsOf is a browser with the tabs A, B and C, of which the rules close C.
type tabsOf struct{ changes []string }

func (*tabsOf) Tabs() []scope.Tab { return []scope.Tab{{ID: "A"}, {ID: "B"}} }

func (*tabsOf) AddressOf(id string) string { return "https://" + id + ".test/" }

func (b *tabsOf) Share(id string, on bool) bool {
	there := slices.Contains([]string{"A", "B", "C"}, id)
	if there {
		b.changes = append(b.changes, fmt.Sprint(id, on))
	}
	return there
}

func TestTabsAreSharedAllOrNone(t *testing.T) {
	for name, row := range map[string]struct {
		in      keeperclient.TabChoice
		changes []string
		fails   bool
	}{
		"both":                          {keeperclient.TabChoice{Share: []string{"A", "B"}}, []string{"Atrue", "Btrue"}, false},
		"none if one has gone":          {keeperclient.TabChoice{Share: []string{"A", "gone", "B"}}, nil, true},
		"none if the rules close one":   {keeperclient.TabChoice{Share: []string{"A", "C"}}, nil, true},
		"and none is hidden then":       {keeperclient.TabChoice{Share: []string{"gone"}, Unshare: []string{"A"}}, nil, true},
		"one that has gone is hidden":   {keeperclient.TabChoice{Unshare: []string{"gone", "A"}}, []string{"Afalse"}, false},
		"one that the rules close, too": {keeperclient.TabChoice{Unshare: []string{"C"}}, []string{"Cfalse"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := &tabsOf{}
			err := sharing(t).shared.changeTabs(b, row.in)
			if (err != nil) != row.fails || !slices.Equal(b.changes, row.changes) {
				t.Errorf("%v, changed %v", err, b.changes)
			}
			if row.fails && fault.From(err).Code != fault.CodeNoTab {
				t.Error(err)
			}
		})
	}
}
