package keeper

import (
	"context"
	"net/http"
	"slices"
	"time"

	"cove/internal/external/scope"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/profile"
	"cove/internal/session"
)

// sharedRoutes are the calls by which the person chooses the tabs that agents see.
func (k *keeper) sharedRoutes(routes *http.ServeMux) {
	routes.HandleFunc("POST /v1/shared/tabs", handleJSON(
		func(ctx context.Context, in keeperclient.TabChoice) (any, error) {
			if !k.shares() || k.server.get().State != session.Open {
				return nil, errNotShared(k.spec.ID)
			}
			return k.shared.choose(ctx, in)
		}))
}

// titlesLimit bounds the reading of titles: without them the list is as good as it was.
const titlesLimit = 2 * time.Second

// choose changes which tabs agents see, and returns those that can be shared.
func (s *shared) choose(ctx context.Context, in keeperclient.TabChoice) ([]keeperclient.SharedTab, error) {
	s.mu.Lock()
	b := s.scope
	s.mu.Unlock()
	if b == nil {
		return nil, errNotShared(s.id)
	}
	if err := s.changeTabs(b, in); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, titlesLimit)
	defer cancel()
	if err := b.ReadTitles(limited); err != nil {
		s.log.Warn("the titles of tabs are old", "err", err)
	}
	list := []keeperclient.SharedTab{}
	for _, t := range b.Tabs() {
		list = append(list, keeperclient.SharedTab(t))
	}
	return list, nil
}

// errNotShared says that there is no browser whose tabs could be shared.
func errNotShared(id profile.ID) *fault.Error {
	return fault.New(fault.CodeNotOpen, "The browser is not shared now.", "Share it with: cove adopt "+id.String())
}

// sharable is a browser whose tabs can be shared: scope.Browser.
type sharable interface {
	Tabs() []scope.Tab
	Share(id string, on bool) bool
	AddressOf(id string) string
}

// changeTabs shares all tabs that are named, or none. Hiding one that has gone changes nothing.
func (s *shared) changeTabs(b sharable, in keeperclient.TabChoice) error {
	there := b.Tabs()
	for _, id := range in.Share {
		if !slices.ContainsFunc(there, func(t scope.Tab) bool { return t.ID == id }) {
			return fault.New(fault.CodeNoTab, "That tab is not there any more.",
				"List the tabs with: cove adopt share "+s.id.String())
		}
	}
	for _, id := range in.Share {
		s.changeTab(b, id, true)
	}
	for _, id := range in.Unshare {
		s.changeTab(b, id, false)
	}
	return nil
}

// changeTab shares or hides a tab, and records it if that changed something.
func (s *shared) changeTab(b sharable, id string, on bool) {
	if !b.Share(id, on) {
		return
	}
	word := "unshared"
	if on {
		word = "shared"
	}
	s.events.pageEvent(word, b.AddressOf(id))
}
