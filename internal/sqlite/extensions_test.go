package sqlite

import (
	"path/filepath"
	"testing"

	"cove/internal/extension"
	"cove/internal/fault"
	"cove/internal/profile"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestExtensionsOfProfiles(t *testing.T) {
	ctx := t.Context()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "cove.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	ps, s := create(t, db.Profiles(), named("a", "b", "c")...), db.Extensions()
	one := extension.Extension{Name: "one", BrowserID: "aa", Key: "k", Content: "1", Size: 7,
		Manifest: extension.Manifest{Title: "One", Version: "1", Description: "d", ManifestVersion: 3, Background: true,
			Permissions: []string{"tabs"}, Hosts: []string{"<all_urls>"}}}
	saved, err := s.Save(ctx, one, ps[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Save(ctx, extension.Extension{Name: "other", BrowserID: "bb"})
	if err != nil {
		t.Fatal(err)
	}
	of := func(id profile.ID) []extension.InProfile {
		t.Helper()
		all, err := s.Of(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if diff := gocmp.Diff([]extension.InProfile{{Extension: saved, Enabled: true}}, of(ps[0].ID)); diff != "" {
		t.Error(diff)
	}

	both, all, off := []extension.ID{saved.ID, other.ID}, []profile.ID{ps[0].ID, ps[1].ID}, false
	if err := s.Enable(ctx, both[:1], all[:1], false); err != nil {
		t.Fatal(err)
	}
	if err := s.Attach(ctx, both, all, nil); err != nil { // what was disabled stays so
		t.Fatal(err)
	}
	if a, b := of(all[0]), of(all[1]); a[0].Enabled || !a[1].Enabled || !b[0].Enabled || !b[1].Enabled {
		t.Errorf("attached: %+v, %+v", a, b)
	}
	if err := s.Attach(ctx, both, all, &off); err != nil {
		t.Fatal(err)
	}
	if a := of(all[1]); a[0].Enabled || a[1].Enabled {
		t.Errorf("attached disabled: %+v", a)
	}

	// A newer version keeps its id, its date and its profiles.
	one.Content, one.Version = "2", "2"
	newer, err := s.Save(ctx, one)
	if err != nil || newer.ID != saved.ID || !newer.Created.Equal(saved.Created) {
		t.Errorf("%+v, %v", newer, err)
	}
	if got := of(all[1])[0]; got.Version != "2" || got.Content != "2" || got.Enabled {
		t.Errorf("%+v", got)
	}
	if err := s.Copy(ctx, all[1], ps[2].ID); err != nil || !gocmp.Equal(of(all[1]), of(ps[2].ID)) {
		t.Errorf("copied: %+v, %v", of(ps[2].ID), err)
	}

	// All or nothing.
	for name, err := range map[string]error{
		"attach, no extension": s.Attach(ctx, []extension.ID{other.ID, 99}, all, nil),
		"attach, no profile":   s.Attach(ctx, both, []profile.ID{all[0], 99}, nil),
		"detach, no profile":   s.Detach(ctx, both, []profile.ID{all[0], 99}),
		"enable, no extension": s.Enable(ctx, []extension.ID{saved.ID, 99}, all, true),
		"delete":               s.Delete(ctx, saved.ID, 99),
	} {
		if fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if a := of(all[0]); len(a) != 2 || a[0].Enabled {
		t.Errorf("a refusal changed something: %+v", a)
	}

	if err := s.Detach(ctx, both[1:], all); err != nil || len(of(all[0])) != 1 {
		t.Errorf("detached: %+v, %v", of(all[0]), err)
	}
	if err := s.Enable(ctx, both[1:], all, true); fault.KindOf(err) != fault.NotFound {
		t.Errorf("enabled what the profile does not have: %v", err)
	}
	if err := db.Profiles().Delete(ctx, all[0]); err != nil {
		t.Fatal(err)
	}
	if err := db.Profiles().Trash(ctx, all[1]); err != nil {
		t.Fatal(err)
	}
	have, err := s.Profiles(ctx, both...)
	if err != nil || len(have) != 2 || have[0].ID != all[1] || have[1].ID != ps[2].ID {
		t.Errorf("after the deletion of a profile: %v, %v", have, err)
	}
	if err := s.Delete(ctx, both...); err != nil || len(of(all[1])) != 0 {
		t.Errorf("deleted: %v", err)
	}
	if list, _, err := s.List(ctx); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}
