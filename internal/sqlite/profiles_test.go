package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/proxy"

	gocmp "github.com/google/go-cmp/cmp"
)

type ids = []profile.ID

// full has every field that a person can set.
var full = profile.Profile{
	Name: "work", Folder: "clients", Notes: "two\nlines", Tags: []string{"R&D", `"quoted"`},
	StartPages: []string{"https://example.com/?a=1&b=2"},
	Window:     profile.Size{Width: 1280, Height: 720}, Locale: "en-GB", Timezone: "Europe/Berlin",
	Proxy: proxy.Proxy{Type: "socks5", Host: "::1", Port: 1080, Login: "me", Password: "p@ss"},
	Args:  []string{"--mute-audio"}, PageTools: profile.PageToolsOff, Browser: "/opt/chrome",
	External: profile.External{DataDir: "/home/ann/.config/chromium", Dir: "Default"},
	Policy: policy.Policy{Preset: policy.Guarded,
		Sites:  policy.Sites{Allow: []string{"https://*.example.com"}, Block: []string{"https://pay.example.com"}},
		Rights: map[policy.Class]policy.Answer{policy.Upload: policy.No}, OneDriver: true, SharedTabs: true,
		NoScreenshots: true,
		Answerers:     []string{"claude-code"}},
}

func create(t testing.TB, s *Profiles, ps ...profile.Profile) []profile.Profile {
	t.Helper()
	out, err := s.Create(t.Context(), ps...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func named(names ...string) []profile.Profile {
	ps := make([]profile.Profile, len(names))
	for i, name := range names {
		ps[i].Name = name
	}
	return ps
}

func mustGet(t testing.TB, s *Profiles, id profile.ID) profile.Profile {
	t.Helper()
	p, err := s.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// list asks for everything unless q says otherwise.
func list(t testing.TB, s *Profiles, q profile.Query) (ids, int) {
	t.Helper()
	q.Page, q.PerPage = cmp.Or(q.Page, 1), cmp.Or(q.PerPage, profile.MaxPerPage)
	page, err := s.List(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var got ids
	for _, p := range page.Profiles {
		got = append(got, p.ID)
	}
	return got, page.Total
}

func wantList(t testing.TB, s *Profiles, q profile.Query, want ...profile.ID) {
	t.Helper()
	got, total := list(t, s, q)
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if total != len(want) {
		t.Errorf("total %d, want %d", total, len(want))
	}
}

func TestCreate(t *testing.T) {
	for f, v := range reflect.ValueOf(full).Fields() {
		if v.IsZero() && !slices.Contains([]string{"ID", "FolderID", "Status", "ProxyID", "Temporary", "Created", "Updated",
			"Opened", "Trashed"}, f.Name) {
			t.Fatalf("the test does not know the field %s", f.Name)
		}
	}
	t.Run("keeps every field", func(t *testing.T) {
		s := open(t, newFile(t)).Profiles()
		before := time.Now().Truncate(time.Millisecond)
		p := create(t, s, full)[0]
		want := full
		want.ID, want.FolderID, want.ProxyID, want.Created, want.Updated = 1, 1, 1, p.Created, p.Created
		if d := gocmp.Diff(want, p); d != "" {
			t.Fatal(d)
		}
		if p.Created.Before(before) || p.Created.After(time.Now()) {
			t.Fatalf("created at %v, before %v", p.Created, before)
		}
		if d := gocmp.Diff(p, mustGet(t, s, p.ID)); d != "" {
			t.Fatal(d)
		}
	})
	t.Run("gives the id and the times itself", func(t *testing.T) {
		s := open(t, newFile(t)).Profiles()
		long := time.UnixMilli(1).UTC()
		p := create(t, s, profile.Profile{ID: 77, Name: "a", Created: long, Updated: long, Opened: long,
			Trashed: long})[0]
		if p.ID != 1 || p.Created.Equal(long) || p.Updated.Equal(long) || !p.Opened.IsZero() || !p.Trashed.IsZero() {
			t.Fatalf("got %+v", p)
		}
		if d := gocmp.Diff(p, mustGet(t, s, 1)); d != "" {
			t.Fatal(d)
		}
	})
	t.Run("makes several in their order", func(t *testing.T) {
		s := open(t, newFile(t)).Profiles()
		for i, p := range create(t, s, named("a", "b", "c")...) {
			if want := string(rune('a' + i)); p.ID != profile.ID(i+1) || p.Name != want || mustGet(t, s, p.ID).
				Name != want {
				t.Errorf("%d: got %d %s", i, p.ID, p.Name)
			}
		}
	})
}

func TestGet(t *testing.T) {
	s := open(t, newFile(t)).Profiles()
	create(t, s, named("a", "b")...)
	if err := s.Trash(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		id         profile.ID
		text, hint string
	}{
		"an unknown id is not found": {99, "There is no profile 99.",
			"`cove profile list` shows the profiles."},
		"a trashed profile is not found, and how to restore it": {2, "Profile 2 is in the trash.",
			"Restore it with: cove profile restore 2"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Get(t.Context(), c.id)
			if f := wantFault(t, err, fault.NotFound, "E_NOT_FOUND"); f.Text != c.text || f.Hint != c.hint {
				t.Fatalf("got %q, %q", f.Text, f.Hint)
			}
		})
	}
}

func TestUpdate(t *testing.T) {
	// The clock of a bubble moves only when everybody sleeps, so the times are exact.
	inBubble := func(name string, do func(t *testing.T, s *Profiles)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(t, newFile(t)).Profiles()
				create(t, s, profile.Profile{Name: "a", Tags: []string{"x", "y"}})
				<-time.After(time.Hour)
				do(t, s)
			})
		})
	}
	inBubble("keeps what the edit made, and when", func(t *testing.T, s *Profiles) {
		old := mustGet(t, s, 1)
		got, err := s.Update(t.Context(), 1, func(p *profile.Profile) error {
			if d := gocmp.Diff(old, *p); d != "" {
				t.Error(d)
			}
			*p = full
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want := full
		want.ID, want.FolderID, want.ProxyID = 1, 1, 1
		want.Created, want.Updated = old.Created, old.Created.Add(time.Hour)
		if d := gocmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
		if d := gocmp.Diff(want, mustGet(t, s, 1)); d != "" {
			t.Fatal(d)
		}
	})
	inBubble("an edit that fails changes nothing", func(t *testing.T, s *Profiles) {
		old, no := mustGet(t, s, 1), errors.New("no")
		_, err := s.Update(t.Context(), 1, func(p *profile.Profile) error {
			p.Name, p.Tags[0] = "b", "z"
			return no
		})
		if !errors.Is(err, no) {
			t.Fatalf("got %v", err)
		}
		if d := gocmp.Diff(old, mustGet(t, s, 1)); d != "" {
			t.Fatal(d)
		}
	})
	inBubble("an edit cannot change the id, the times or whether it is temporary", func(t *testing.T, s *Profiles) {
		create(t, s, profile.Profile{Name: "a", Temporary: true})
		for _, id := range (ids{1, 2}) {
			if err := s.MarkOpened(t.Context(), id, time.Now().Add(-time.Minute)); err != nil {
				t.Fatal(err)
			}
			want := mustGet(t, s, id)
			got, err := s.Update(t.Context(), id, func(p *profile.Profile) error {
				wrong := time.UnixMilli(9)
				p.ID, p.Temporary, p.Created, p.Updated, p.Opened, p.Trashed = 50, !p.Temporary, wrong, wrong, wrong,
					wrong
				p.Name = "b"
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			want.Name, want.Updated = "b", time.Now().UTC()
			if d := gocmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if d := gocmp.Diff(want, mustGet(t, s, id)); d != "" {
				t.Error(d)
			}
		}
	})
	inBubble("edits no profile that is unknown or in the trash", func(t *testing.T, s *Profiles) {
		if err := s.Trash(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		for _, id := range (ids{1, 99}) {
			_, err := s.Update(t.Context(), id, func(*profile.Profile) error {
				t.Errorf("profile %d was edited", id)
				return nil
			})
			wantFault(t, err, fault.NotFound, "E_NOT_FOUND")
		}
	})
}

func TestMarkOpened(t *testing.T) {
	s := open(t, newFile(t)).Profiles()
	want := create(t, s, named("a", "b")...)
	want[0].Opened = time.UnixMilli(1_700_000_000_123).UTC()
	if err := s.MarkOpened(t.Context(), 1, want[0].Opened.Add(456*time.Microsecond)); err != nil {
		t.Fatal(err)
	}
	for _, p := range want {
		if d := gocmp.Diff(p, mustGet(t, s, p.ID)); d != "" {
			t.Error(d)
		}
	}
}

func TestTrash(t *testing.T) {
	t.Run("a trashed profile is listed only in the trash", func(t *testing.T) {
		s := open(t, newFile(t)).Profiles()
		create(t, s, named("a", "b", "c")...)
		if err := s.Trash(t.Context(), 1, 3); err != nil {
			t.Fatal(err)
		}
		wantList(t, s, profile.Query{}, 2)
		wantList(t, s, profile.Query{Trashed: true}, 1, 3)
	})
	t.Run("restore brings back the same profile", func(t *testing.T) {
		s := open(t, newFile(t)).Profiles()
		p := create(t, s, full)[0]
		if err := s.Trash(t.Context(), p.ID); err != nil {
			t.Fatal(err)
		}
		page, err := s.List(t.Context(), profile.Query{Trashed: true, Page: 1, PerPage: 1})
		if err != nil || len(page.Profiles) != 1 || page.Profiles[0].Trashed.Before(p.Created) {
			t.Fatalf("got %+v, %v", page, err)
		}
		for range 2 { // a second time is no mistake
			got, err := s.Restore(t.Context(), p.ID)
			if err != nil {
				t.Fatal(err)
			}
			if d := gocmp.Diff(p, got); d != "" {
				t.Fatal(d)
			}
		}
		wantList(t, s, profile.Query{}, p.ID)
		wantList(t, s, profile.Query{Trashed: true})
	})
	t.Run("a trashed profile cannot be trashed again, so it keeps its day", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := open(t, newFile(t)).Profiles()
			create(t, s, named("a")...)
			if err := s.Trash(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			day := time.Now()
			<-time.After(time.Hour)
			wantFault(t, s.Trash(t.Context(), 1), fault.NotFound, "E_NOT_FOUND")
			page, err := s.List(t.Context(), profile.Query{Trashed: true, Page: 1, PerPage: 1})
			if err != nil || len(page.Profiles) != 1 || !page.Profiles[0].Trashed.Equal(day) {
				t.Fatalf("got %+v, %v", page, err)
			}
		})
	})
	t.Run("an unknown profile cannot be restored", func(t *testing.T) {
		_, err := open(t, newFile(t)).Profiles().Restore(t.Context(), 1)
		wantFault(t, err, fault.NotFound, "E_NOT_FOUND")
	})
	t.Run("delete forgets profiles in the trash and outside of it", func(t *testing.T) {
		s := open(t, newFile(t)).Profiles()
		create(t, s, named("a", "b", "c")...)
		if err := errors.Join(s.Trash(t.Context(), 1), s.Delete(t.Context(), 1, 2)); err != nil {
			t.Fatal(err)
		}
		wantList(t, s, profile.Query{}, 3)
		wantList(t, s, profile.Query{Trashed: true})
		_, err := s.Restore(t.Context(), 1)
		wantFault(t, err, fault.NotFound, "E_NOT_FOUND")
		_, err = s.Get(t.Context(), 2)
		wantFault(t, err, fault.NotFound, "E_NOT_FOUND")
	})
	for name, do := range map[string]func(*Profiles, context.Context, ...profile.ID) error{"trash": (*Profiles).
		Trash, "delete": (*Profiles).Delete} {
		t.Run(name+" of several is all or nothing", func(t *testing.T) {
			s := open(t, newFile(t)).Profiles()
			create(t, s, named("a", "b")...)
			f := wantFault(t, do(s, t.Context(), 1, 99, 2), fault.NotFound, "E_NOT_FOUND")
			if !strings.Contains(f.Text, "99") {
				t.Errorf("the fault does not name the profile: %s", f.Text)
			}
			wantList(t, s, profile.Query{}, 1, 2)
			if err := do(s, t.Context(), 1, 2); err != nil {
				t.Fatal(err)
			}
			wantList(t, s, profile.Query{})
		})
	}
}

func TestIDs(t *testing.T) {
	ctx := t.Context()
	next := func(t *testing.T, s *Profiles, want profile.ID) {
		t.Helper()
		if got := create(t, s, named("next")...)[0].ID; got != want {
			t.Fatalf("the next id is %d, want %d", got, want)
		}
	}
	t.Run("are never given again, not even after the file was reopened", func(t *testing.T) {
		name := newFile(t)
		db := open(t, name)
		create(t, db.Profiles(), named("a", "b")...)
		if err := db.Profiles().Delete(ctx, 1, 2); err != nil {
			t.Fatal(err)
		}
		next(t, db.Profiles(), 3)
		if err := db.Profiles().Delete(ctx, 3); err != nil {
			t.Fatal(err)
		}
		db = reopen(t, db, name)
		next(t, db.Profiles(), 4)
	})
	t.Run("start after the reserved ones in a new file", func(t *testing.T) {
		name := newFile(t)
		db := open(t, name)
		if err := db.Profiles().ReserveThrough(ctx, 41); err != nil {
			t.Fatal(err)
		}
		next(t, reopen(t, db, name).Profiles(), 42)
	})
	t.Run("a lower reservation takes nothing back", func(t *testing.T) {
		s := open(t, newFile(t)).Profiles()
		create(t, s, named("a", "b", "c")...)
		if err := errors.Join(s.Delete(ctx, 2, 3), s.ReserveThrough(ctx, 1)); err != nil {
			t.Fatal(err)
		}
		next(t, s, 4)
		if err := s.ReserveThrough(ctx, 9); err != nil {
			t.Fatal(err)
		}
		next(t, s, 10)
	})
	t.Run("run out with a fault that leaves nothing behind", func(t *testing.T) {
		s := open(t, newFile(t)).Profiles()
		if err := s.ReserveThrough(ctx, math.MaxInt32-1); err != nil {
			t.Fatal(err)
		}
		_, err := s.Create(ctx, named("last", "one too many")...)
		wantFault(t, err, fault.Unavailable, "E_FULL")
		wantList(t, s, profile.Query{})
		next(t, s, math.MaxInt32)
	})
}

func TestTemporary(t *testing.T) {
	s := open(t, newFile(t)).Profiles()
	create(t, s, profile.Profile{Name: "stays"}, profile.Profile{Name: "goes", Temporary: true},
		profile.Profile{Name: "goes too", Temporary: true})
	wantList(t, s, profile.Query{}, 1)
	wantList(t, s, profile.Query{Search: "goes"})
	if !mustGet(t, s, 2).Temporary {
		t.Error("profile 2 is not temporary")
	}
	create(t, s, profile.Profile{Name: "stays after all", Temporary: true})
	if err := s.MakePermanent(t.Context(), 4); err != nil || mustGet(t, s, 4).Temporary {
		t.Errorf("a temporary profile could not be kept: %v", err)
	}
	if err := s.MakePermanent(t.Context(), 99); fault.From(err).Kind != fault.NotFound {
		t.Errorf("an unknown profile is kept: %v", err)
	}
	got, err := s.Temporary(t.Context())
	slices.Sort(got)
	if err != nil || !slices.Equal(got, ids{2, 3}) {
		t.Fatalf("got %v, %v", got, err)
	}
}

func TestListFinds(t *testing.T) {
	s := open(t, newFile(t)).Profiles()
	create(t, s,
		profile.Profile{Name: "Alpha Shop", Folder: "Clients", Tags: []string{"work", "berlin"},
			Notes: "pays on\nFriday"},
		profile.Profile{Name: "bravo", Folder: "Clients/old", Tags: []string{"homework"}},
		profile.Profile{Name: "100% cotton"}, profile.Profile{Name: "1000 cotton"},
		profile.Profile{Name: "snake_case"}, profile.Profile{Name: "snakeXcase"},
		profile.Profile{Name: `back\slash`}, profile.Profile{Name: "backslash"},
		profile.Profile{Name: "it's; --", Tags: []string{`50%`, `"q"`}},
		profile.Profile{Name: "x", Folder: "Clients", Tags: []string{"work"}},
		profile.Profile{Name: "x"}, profile.Profile{Name: "x"})
	for _, c := range []struct {
		name string
		q    profile.Query
		want ids
	}{
		{"everything without a search", profile.Query{Search: " \t "}, ids{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		{"a part of the name", profile.Query{Search: "pha"}, ids{1}},
		{"a part of a tag", profile.Query{Search: "berl"}, ids{1}},
		{"a part of the notes", profile.Query{Search: "frid"}, ids{1}},
		{"a part of the folder", profile.Query{Search: "clie"}, ids{1, 2, 10}},
		{"the id, and not one that only ends in it", profile.Query{Search: "2"}, ids{2}},
		{"a name in capitals", profile.Query{Search: "BRAVO"}, ids{2}},
		{"capitals in the name", profile.Query{Search: "alpha"}, ids{1}},
		{"a tag in capitals", profile.Query{Search: "BERLIN"}, ids{1}},
		{"notes in capitals", profile.Query{Search: "FRIDAY"}, ids{1}},
		{"a folder in capitals", profile.Query{Search: "CLIENTS/OLD"}, ids{2}},
		{"words from different fields", profile.Query{Search: "  friday\talpha berlin "}, ids{1}},
		{"nothing when one word is missing", profile.Query{Search: "alpha bravo"}, nil},
		{"nothing for a word that is nowhere", profile.Query{Search: "zulu"}, nil},
		{"a per cent sign as itself", profile.Query{Search: "100%"}, ids{3}},
		{"a per cent sign between letters as itself", profile.Query{Search: "b%o"}, nil},
		{"an underscore as itself", profile.Query{Search: "snake_case"}, ids{5}},
		{"a lone underscore as itself", profile.Query{Search: "_"}, ids{5}},
		{"a backslash as itself", profile.Query{Search: `back\slash`}, ids{7}},
		{"a backslash before a wildcard as itself", profile.Query{Search: `\%`}, nil},
		{"a quote as itself", profile.Query{Search: "it's; --"}, ids{9}},
		{"a whole tag", profile.Query{Tags: []string{"work"}}, ids{1, 10}},
		{"no part of a tag", profile.Query{Tags: []string{"home"}}, nil},
		{"no tag by a wildcard", profile.Query{Tags: []string{"%"}}, nil},
		{"a tag that JSON writes in another way", profile.Query{Tags: []string{`"q"`}}, ids{9}},
		{"all of several tags", profile.Query{Tags: []string{"work", "berlin"}}, ids{1}},
		{"nothing when one tag is missing", profile.Query{Tags: []string{"work", "homework"}}, nil},
		{"one of several tags", profile.Query{AnyTags: []string{"berlin", "homework", "none"}}, ids{1, 2}},
		{"none of several tags", profile.Query{WithoutTags: []string{"work", "homework", "50%"}},
			ids{3, 4, 5, 6, 7, 8, 11, 12}},
		{"one tag without another", profile.Query{AnyTags: []string{"work"}, WithoutTags: []string{"berlin"}}, ids{10}},
		{"a text in the name alone", profile.Query{Name: "WORK"}, nil},
		{"a text in the name, with its space", profile.Query{Name: "a s"}, ids{1}},
		{"names without a text", profile.Query{WithoutName: "A"}, ids{3, 4, 9, 10, 11, 12}},
		{"a whole folder", profile.Query{Folder: "Clients"}, ids{1, 10}},
		{"no part of a folder", profile.Query{Folder: "Client"}, nil},
		{"what a search, a tag and a folder agree on",
			profile.Query{Search: "x", Tags: []string{"work"}, Folder: "Clients"}, ids{10}},
		{"nothing when they do not", profile.Query{Search: "bravo", Tags: []string{"work"}, Folder: "Clients"}, nil},
	} {
		t.Run("finds "+c.name, func(t *testing.T) { wantList(t, s, c.q, c.want...) })
	}
}

func TestListSorts(t *testing.T) {
	db := open(t, newFile(t))
	s := db.Profiles()
	for _, name := range []string{"new", "Banned"} {
		if _, err := db.Statuses().Create(t.Context(), profile.Status{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	create(t, s, profile.Profile{Name: "delta", Folder: "m", Status: profile.Status{ID: 1}},
		profile.Profile{Name: "Bravo", Folder: "Z", Proxy: exit("one")},
		profile.Profile{Name: "alpha", Folder: "K", Status: profile.Status{ID: 2}, Proxy: exit("two")},
		profile.Profile{Name: "Charlie", Folder: "m", Proxy: exit("one")}, profile.Profile{Name: "bravo"})
	// A clock that was set back, so that the times have an order of their own.
	exec(t, db.sql, `UPDATE profiles SET created_at = 100 + id * 3 % 5, updated_at = 100 + id * 2 % 5`)
	for id, at := range map[profile.ID]int64{1: 30, 3: 20, 4: 10} {
		if err := s.MarkOpened(t.Context(), id, time.UnixMilli(at)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[profile.Sort]ids{
		profile.ByID:      {1, 2, 3, 4, 5},
		profile.ByName:    {3, 2, 5, 4, 1},
		profile.ByFolder:  {5, 3, 1, 4, 2},
		profile.ByCreated: {5, 2, 4, 1, 3},
		profile.ByUpdated: {5, 3, 1, 4, 2},
		profile.ByOpened:  {2, 5, 4, 3, 1},
		profile.ByStatus:  {2, 4, 5, 3, 1},
		profile.ByProxy:   {1, 5, 2, 4, 3},
	}
	for _, sort := range profile.Sorts {
		t.Run("by "+string(sort)+" upwards",
			func(t *testing.T) { wantList(t, s, profile.Query{Sort: sort}, want[sort]...) })
		t.Run("by "+string(sort)+" downwards", func(t *testing.T) {
			down := slices.Clone(want[sort])
			slices.Reverse(down)
			wantList(t, s, profile.Query{Sort: sort, Desc: true}, down...)
		})
	}
	t.Run("by id when nothing is said", func(t *testing.T) { wantList(t, s, profile.Query{}, 1, 2, 3, 4, 5) })
}

func TestListPages(t *testing.T) {
	s := open(t, newFile(t)).Profiles()
	create(t, s, named("a1", "b", "a2", "a3", "a4", "a5")...)
	if err := s.Trash(t.Context(), 6); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		q     profile.Query
		want  ids
		total int
	}{
		{"the first page", profile.Query{Page: 1, PerPage: 2}, ids{1, 2}, 5},
		{"a page in the middle", profile.Query{Page: 2, PerPage: 2}, ids{3, 4}, 5},
		{"a last page that is not full", profile.Query{Page: 3, PerPage: 2}, ids{5}, 5},
		{"nothing after the last page, but the same total", profile.Query{Page: 4, PerPage: 2}, nil, 5},
		{"pages from the end", profile.Query{Page: 2, PerPage: 2, Desc: true}, ids{3, 2}, 5},
		{"pages and a total of what was searched", profile.Query{Search: "a", Page: 2, PerPage: 3}, ids{5}, 4},
		{"pages and a total of the trash", profile.Query{Trashed: true, Page: 1, PerPage: 2}, ids{6}, 1},
	} {
		t.Run("shows "+c.name, func(t *testing.T) {
			got, total := list(t, s, c.q)
			if !slices.Equal(got, c.want) || total != c.total {
				t.Fatalf("got %v of %d, want %v of %d", got, total, c.want, c.total)
			}
		})
	}
}

// tenThousand fills a file with profiles whose names, tags, folders, statuses and proxies repeat.
func tenThousand(t testing.TB) (*Profiles, []profile.Profile) {
	t.Helper()
	db := open(t, newFile(t))
	s := db.Profiles()
	for i := range 5 {
		if _, err := db.Statuses().Create(t.Context(), profile.Status{Name: fmt.Sprint("status ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	ps := make([]profile.Profile, 10_000)
	for i := range ps {
		ps[i] = profile.Profile{Name: fmt.Sprintf("Profile %03d", i*7919%997), Folder: fmt.Sprintf("folder %d", i%20),
			Notes: fmt.Sprintf("Note %d of the customer in city %d.", i, i%100),
			Tags:  []string{fmt.Sprintf("tag%d", i%50), "all"}, StartPages: []string{"https://example.com"},
			Args: []string{}, Status: profile.Status{ID: profile.StatusID(i%5 + 1)},
			Proxy: proxy.Proxy{Type: "http", Host: fmt.Sprintf("host%d.example", i%2000), Port: 8080, Login: "me",
				Password: "secret"}}
	}
	return s, create(t, s, ps...)
}

func TestEachOfTenThousandProfilesIsOnOnePageInOrder(t *testing.T) {
	s, ps := tenThousand(t)
	slices.SortStableFunc(ps, func(a, b profile.Profile) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.ID, b.ID))
	})
	var got []profile.Profile
	for page := 1; ; page++ {
		p, err := s.List(t.Context(), profile.Query{Sort: profile.ByName, Page: page, PerPage: 2999})
		if err != nil || p.Total != len(ps) {
			t.Fatalf("page %d: total %d, %v", page, p.Total, err)
		}
		if len(p.Profiles) == 0 {
			break
		}
		got = append(got, p.Profiles...)
	}
	if len(got) != len(ps) {
		t.Fatalf("%d profiles, want %d", len(got), len(ps))
	}
	for i := range ps {
		if !reflect.DeepEqual(ps[i], got[i]) {
			t.Fatalf("at %d: %s", i, gocmp.Diff(ps[i], got[i]))
		}
	}
}

func BenchmarkList10k(b *testing.B) {
	s, _ := tenThousand(b)
	for _, sort := range profile.Sorts {
		b.Run("first page by "+string(sort),
			func(b *testing.B) { benchmarkPage(b, s, profile.Query{Sort: sort, Page: 1}) })
	}
	b.Run("last page by name", func(b *testing.B) {
		benchmarkPage(b, s,
			profile.Query{Sort: profile.ByName, Page: 200})
	})
}

func BenchmarkSearch10k(b *testing.B) {
	s, _ := tenThousand(b)
	b.Run("a word", func(b *testing.B) { benchmarkPage(b, s, profile.Query{Search: "customer", Page: 1}) })
	b.Run("a rare word", func(b *testing.B) { benchmarkPage(b, s, profile.Query{Search: "77.", Page: 1}) })
	b.Run("a tag", func(b *testing.B) { benchmarkPage(b, s, profile.Query{Tags: []string{"tag7"}, Page: 1}) })
}

func benchmarkPage(b *testing.B, s *Profiles, q profile.Query) {
	q.PerPage = 50
	for b.Loop() {
		if page, err := s.List(b.Context(), q); err != nil || len(page.Profiles) != 50 {
			b.Fatalf("%d profiles, %v", len(page.Profiles), err)
		}
	}
}

func TestManyAreChangedTogetherOrNotAtAll(t *testing.T) {
	s := open(t, newFile(t)).Profiles()
	create(t, s, named("a", "b", "c")...)
	tag := func(p *profile.Profile) error {
		p.Tags, p.Folder = append(p.Tags, "new"), "Shops"
		return nil
	}
	if err := s.UpdateMany(t.Context(), ids{1, 2, 3, 99}, tag); fault.KindOf(err) != fault.NotFound {
		t.Errorf("an unknown one: %v", err)
	}
	if p := mustGet(t, s, 1); len(p.Tags) != 0 || p.Folder != "" {
		t.Errorf("half of them were changed: %+v", p)
	}
	if err := s.UpdateMany(t.Context(), ids{3, 1, 1, 2}, tag); err != nil {
		t.Fatal(err)
	}
	for _, id := range (ids{1, 2, 3}) {
		if p := mustGet(t, s, id); !slices.Equal(p.Tags, []string{"new"}) || p.Folder != "Shops" || p.FolderID != 1 {
			t.Errorf("%+v", p)
		}
	}
	page, err := s.List(t.Context(), profile.Query{Search: "new", Sort: profile.ByID, Page: 1, PerPage: 10})
	if err != nil || page.Total != 3 {
		t.Errorf("a search finds %d of them: %v", page.Total, err)
	}

	if err := s.Trash(t.Context(), 1, 2); err != nil {
		t.Fatal(err)
	}
	if err := s.UpdateMany(t.Context(), ids{1, 3}, tag); fault.KindOf(err) != fault.NotFound {
		t.Errorf("one in the trash: %v", err)
	}
	if err := s.RestoreMany(t.Context(), 1, 99); fault.KindOf(err) != fault.NotFound {
		t.Errorf("an unknown one: %v", err)
	}
	if err := s.RestoreMany(t.Context(), 1, 2, 3); err != nil {
		t.Errorf("one that is not in the trash stays as it is: %v", err)
	}
	mustGet(t, s, 1)
}
