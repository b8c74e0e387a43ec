package sqlite

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// exit is a proxy that differs from others by its host.
func exit(host string) proxy.Proxy {
	return proxy.Proxy{Type: "http", Host: host, Port: 8080, Login: "me", Password: "secret"}
}

func edit(t *testing.T, s *Profiles, id profile.ID, change func(*profile.Profile)) profile.Profile {
	t.Helper()
	p, err := s.Update(t.Context(), id, func(p *profile.Profile) error { change(p); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func countProxies(t *testing.T, db *DB) int {
	t.Helper()
	page, err := db.Proxies().List(t.Context(), proxy.Query{Page: 1, PerPage: 1})
	if err != nil {
		t.Fatal(err)
	}
	return page.Total
}

func TestProfilesShareAProxy(t *testing.T) {
	db := open(t, newFile(t))
	s := db.Profiles()
	made := create(t, s, profile.Profile{Name: "a", Proxy: exit("one")}, profile.Profile{Name: "b", Proxy: exit("one")},
		profile.Profile{Name: "c", Proxy: exit("two")})
	if made[0].ProxyID == 0 || made[0].ProxyID != made[1].ProxyID || made[0].ProxyID == made[2].ProxyID {
		t.Fatalf("got %d, %d, %d", made[0].ProxyID, made[1].ProxyID, made[2].ProxyID)
	}
	r, err := db.Proxies().Update(t.Context(), made[0].ProxyID, func(r *proxy.Record) error {
		r.Host = "three"
		return nil
	})
	if err != nil || r.Profiles != 2 {
		t.Fatalf("%d profiles, %v", r.Profiles, err)
	}
	if a, b := mustGet(t, s, 1), mustGet(t, s, 2); a.Proxy.Host != "three" || b.Proxy.Host != "three" {
		t.Errorf("an edit did not reach the profiles: %s, %s", a.Proxy.Host, b.Proxy.Host)
	}
}

func TestAProxyThatCameWithAProfileGoesWithTheLastOne(t *testing.T) {
	db := open(t, newFile(t))
	s := db.Profiles()
	create(t, s, profile.Profile{Name: "a", Proxy: exit("one")}, profile.Profile{Name: "b", Proxy: exit("one")})
	saved, err := db.Proxies().Create(t.Context(), proxy.Record{Proxy: exit("saved"), Saved: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := edit(t, s, 1, func(p *profile.Profile) { p.Proxy = proxy.Proxy{} }); got.ProxyID != 0 {
		t.Fatalf("the proxy is still %d", got.ProxyID)
	}
	if n := countProxies(t, db); n != 2 {
		t.Fatalf("%d proxies while one profile uses the first", n)
	}
	if got := edit(t, s, 2, func(p *profile.Profile) { p.Proxy = exit("saved") }); got.ProxyID != saved[0].ID {
		t.Fatalf("an equal proxy is %d, not %d", got.ProxyID, saved[0].ID)
	}
	if n := countProxies(t, db); n != 1 {
		t.Fatalf("%d proxies after the last profile left the first", n)
	}
	if err := s.Delete(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if n := countProxies(t, db); n != 1 {
		t.Fatal("a saved proxy went with its profile")
	}
}

func TestAProxyInUseIsNotDeleted(t *testing.T) {
	db := open(t, newFile(t))
	s := db.Profiles()
	p := create(t, s, profile.Profile{Name: "a", Proxy: exit("one")})[0]
	wantFault(t, db.Proxies().Delete(t.Context(), p.ProxyID), fault.Conflict, "E_IN_USE")
	if err := s.Trash(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	wantFault(t, db.Proxies().Delete(t.Context(), p.ProxyID), fault.Conflict, "E_IN_USE")
	wantFault(t, db.Proxies().Delete(t.Context(), 99), fault.NotFound, "E_NOT_FOUND")
}

func TestAReferenceToNothingIsRefused(t *testing.T) {
	db := open(t, newFile(t))
	s := db.Profiles()
	create(t, s, profile.Profile{Name: "a", Proxy: exit("one"), Folder: "f"})
	before := mustGet(t, s, 1)
	for field, spoil := range map[string]func(*profile.Profile){
		"proxy":  func(p *profile.Profile) { p.ProxyID, p.Proxy = 99, proxy.Proxy{} },
		"folder": func(p *profile.Profile) { p.FolderID, p.Folder = 99, "" },
		"status": func(p *profile.Profile) { p.Status.ID = 99 },
	} {
		p := profile.Profile{Name: "b"}
		spoil(&p)
		_, err := s.Create(t.Context(), p)
		if f := wantFault(t, err, fault.Unprocessable, "E_UNPROCESSABLE"); f.Field != field {
			t.Errorf("names %q, not %q", f.Field, field)
		}
		_, err = s.Update(t.Context(), 1, func(p *profile.Profile) error { spoil(p); return nil })
		wantFault(t, err, fault.Unprocessable, "E_UNPROCESSABLE")
	}
	if got := mustGet(t, s, 1); got.ProxyID != before.ProxyID || got.FolderID != before.FolderID || got.Updated !=
		before.Updated {
		t.Errorf("a refusal changed %+v to %+v", before, got)
	}
}

// renameTo edits the name of a folder.
func renameTo(name string) func(*profile.Folder) error {
	return func(f *profile.Folder) error {
		f.Name = name
		return nil
	}
}

func TestAFolderKeepsItsColorAndDefaults(t *testing.T) {
	fs := open(t, newFile(t)).Folders()
	want := profile.Folder{Name: "Work", Color: "green", Defaults: profile.Defaults{
		Tags: []string{"shop"}, StartPages: []string{"https://a.example"}, Locale: "de-DE", Timezone: "Europe/Berlin",
		Proxy: proxy.Proxy{Type: "socks5", Host: "p.example", Port: 1080, Login: "me", Password: "x"}, Agents: "guarded"}}
	made, err := fs.Create(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Update(t.Context(), made.ID, renameTo("Play")); err != nil {
		t.Fatal(err)
	}
	got, err := fs.Get(t.Context(), made.ID)
	if err != nil || got.Color != "green" || !reflect.DeepEqual(got.Defaults, want.Defaults) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, c := range []struct {
		id    profile.FolderID
		name  string
		found bool
	}{{made.ID, "", true}, {0, "PLAY", true}, {0, "Work", false}, {99, "", false}} {
		d, err := fs.Defaults(t.Context(), c.id, c.name)
		if err != nil || (d.Agents == "guarded") != c.found {
			t.Errorf("%+v: %+v, %v", c, d, err)
		}
	}
}

func TestFolders(t *testing.T) {
	db := open(t, newFile(t))
	s, fs := db.Profiles(), db.Folders()
	create(t, s, profile.Profile{Name: "a", Folder: "Work"}, profile.Profile{Name: "b", Folder: "work"},
		profile.Profile{Name: "c"})
	private, err := fs.Create(t.Context(), profile.Folder{Name: "Private"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = fs.Create(t.Context(), profile.Folder{Name: "private"})
	wantFault(t, err, fault.Conflict, "E_EXISTS")

	if _, err := fs.Update(t.Context(), 1, renameTo("Études")); err != nil {
		t.Fatal(err)
	}
	_, err = fs.Update(t.Context(), 1, renameTo("PRIVATE"))
	wantFault(t, err, fault.Conflict, "E_EXISTS")
	wantList(t, s, profile.Query{Search: "études"}, 1, 2)
	wantList(t, s, profile.Query{Search: "work"})
	wantList(t, s, profile.Query{Folders: []profile.FolderID{1}}, 1, 2)
	wantList(t, s, profile.Query{Folders: []profile.FolderID{0, private.ID}}, 3)
	wantList(t, s, profile.Query{Folders: []profile.FolderID{99}})

	wantFault(t, fs.Move(t.Context(), private.ID, 3, 99), fault.NotFound, "E_NOT_FOUND")
	if err := fs.Move(t.Context(), private.ID, 1, 3); err != nil {
		t.Fatal(err)
	}
	if got, err := fs.Members(t.Context(), private.ID); err != nil || len(got) != 2 || got[0] != 1 || got[1] != 3 {
		t.Fatalf("got %v, %v", got, err)
	}
	if err := fs.Order(t.Context(), private.ID); err != nil {
		t.Fatal(err)
	}
	all, err := fs.List(t.Context())
	if err != nil || len(all) != 2 || all[0].Name != "Private" || all[0].Profiles != 2 || all[1].Profiles != 1 {
		t.Fatalf("got %+v, %v", all, err)
	}

	wantFault(t, fs.Delete(t.Context(), private.ID, 99), fault.NotFound, "E_NOT_FOUND")
	if err := fs.Delete(t.Context(), private.ID); err != nil {
		t.Fatal(err)
	}
	if p := mustGet(t, s, 3); p.FolderID != 0 || p.Folder != "" {
		t.Errorf("after its folder was deleted: %+v", p)
	}
}

func TestStatuses(t *testing.T) {
	db := open(t, newFile(t))
	s, all := db.Profiles(), db.Statuses()
	create(t, s, named("a", "b")...)
	ready, err := all.Create(t.Context(), profile.Status{Name: "Ready", Color: "green"})
	if err != nil {
		t.Fatal(err)
	}
	banned, err := all.Create(t.Context(), profile.Status{Name: "Banned", Color: "red"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = all.Create(t.Context(), profile.Status{Name: "ready", Color: "red"})
	wantFault(t, err, fault.Conflict, "E_EXISTS")
	_, err = all.Update(t.Context(), banned.ID, func(one *profile.Status) error { one.Name = "READY"; return nil })
	wantFault(t, err, fault.Conflict, "E_EXISTS")

	wantFault(t, all.Give(t.Context(), ready.ID, 1, 99), fault.NotFound, "E_NOT_FOUND")
	wantFault(t, all.Give(t.Context(), 99, 1), fault.NotFound, "E_NOT_FOUND")
	if err := all.Give(t.Context(), ready.ID, 1, 2); err != nil {
		t.Fatal(err)
	}
	edit(t, s, 2, func(p *profile.Profile) { p.Status.ID = banned.ID })
	wantList(t, s, profile.Query{Statuses: []profile.StatusID{ready.ID}}, 1)
	wantList(t, s, profile.Query{Sort: profile.ByStatus}, 2, 1)
	if got := mustGet(t, s, 2).Status; got != banned {
		t.Fatalf("got %+v, want %+v", got, banned)
	}
	if err := all.Delete(t.Context(), banned.ID); err != nil {
		t.Fatal(err)
	}
	if got := mustGet(t, s, 2).Status; got != (profile.Status{}) {
		t.Fatalf("got %+v", got)
	}
	wantList(t, s, profile.Query{Statuses: []profile.StatusID{0}}, 2)
}

func TestAnExactNameComesFirst(t *testing.T) {
	s := open(t, newFile(t)).Profiles()
	create(t, s, named("my shop 2", "shop 2", "Shop")...)
	wantList(t, s, profile.Query{Search: "shop", ExactFirst: true}, 3, 1, 2)
	wantList(t, s, profile.Query{Search: "SHOP 2", ExactFirst: true}, 2, 1)
}

func TestListsByFolderAndStatusAreInOrder(t *testing.T) {
	db := open(t, newFile(t))
	s := db.Profiles()
	var statuses []profile.Status
	for _, name := range []string{"Warm", "banned", "ärger"} {
		status, err := db.Statuses().Create(t.Context(), profile.Status{Name: name, Color: "red"})
		if err != nil {
			t.Fatal(err)
		}
		statuses = append(statuses, status)
	}
	ps := make([]profile.Profile, 60)
	for i := range ps {
		ps[i] = profile.Profile{Name: []string{"a shop", "Shop", "shop"}[i%3],
			Folder: []string{"", "work", "Apples", "zoo", "apples 2"}[i*7%5]}
		if i%4 > 0 {
			ps[i].Status = statuses[i%4-1]
		}
	}
	ps = create(t, s, ps...)
	labels := map[profile.Sort]func(profile.Profile) string{
		profile.ByFolder: func(p profile.Profile) string { return p.Folder },
		profile.ByStatus: func(p profile.Profile) string { return p.Status.Name },
	}
	for sort, label := range labels {
		for _, q := range []profile.Query{{}, {Desc: true}, {Search: "shop", ExactFirst: true},
			{Search: "shop", ExactFirst: true, Desc: true}, {IDs: []profile.ID{3, 7, 20, 41, 59}}} {
			want := slices.Clone(ps)
			if q.IDs != nil {
				want = slices.DeleteFunc(want, func(p profile.Profile) bool { return !slices.Contains(q.IDs, p.ID) })
			}
			slices.SortFunc(want, func(a, b profile.Profile) int {
				by := cmp.Or(strings.Compare(strings.ToLower(label(a)), strings.ToLower(label(b))),
					cmp.Compare(a.ID, b.ID))
				if q.Desc {
					by = -by
				}
				if q.ExactFirst {
					by = cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), by)
				}
				return by
			})
			ids := make([]profile.ID, len(want))
			for i, p := range want {
				ids[i] = p.ID
			}
			q.Sort = sort
			wantList(t, s, q, ids...)
		}
	}
}

func TestAnImportOfProxiesThatFailsChangesNothing(t *testing.T) {
	db := open(t, newFile(t))
	create(t, db.Profiles(), profile.Profile{Name: "a", Proxy: exit("one")}) // not saved
	if _, err := db.sql.ExecContext(t.Context(), `CREATE TRIGGER broken BEFORE UPDATE ON proxies `+
		`WHEN new.change_ip_url LIKE '%broken%' BEGIN SELECT raise(ABORT, 'broken'); END`); err != nil {
		t.Fatal(err)
	}
	before := dump(t, db)
	lines := []proxy.Record{{Proxy: exit("new")}, {Proxy: exit("one"), ChangeIPURL: "https://c.example/"},
		{Proxy: exit("new"), ChangeIPURL: "https://broken.example/"}}
	if _, _, err := db.Proxies().Import(t.Context(), lines...); err == nil {
		t.Error("the import did not fail")
	}
	if after := dump(t, db); after != before {
		t.Errorf("it left\n%s", after)
	}

	stored, created, err := db.Proxies().Import(t.Context(), lines[:2]...)
	if err != nil || created != 1 || stored[0].ID == stored[1].ID || !stored[0].Saved || !stored[1].Saved ||
		stored[1].ChangeIPURL != "https://c.example/" || stored[1].Profiles != 1 {
		t.Errorf("got %+v, %d, %v", stored, created, err)
	}
}

func TestAProxyIsBoundWhileAProfileWithRulesUsesIt(t *testing.T) {
	db := open(t, newFile(t))
	s := db.Profiles()
	made := create(t, s, profile.Profile{Name: "a", Proxy: exit("one")}, profile.Profile{Name: "b", Proxy: exit("one")})
	bound := func() bool {
		t.Helper()
		r, err := db.Proxies().Get(t.Context(), made[0].ProxyID)
		if err != nil {
			t.Fatal(err)
		}
		updated, err := db.Proxies().Update(t.Context(), r.ID, func(x *proxy.Record) error {
			if x.Bound != r.Bound {
				t.Errorf("an update sees %+v", x)
			}
			x.Bound = !x.Bound
			return nil
		})
		if err != nil || updated.Bound != r.Bound {
			t.Fatalf("the update says %+v, %v", updated, err)
		}
		return r.Bound
	}
	if bound() {
		t.Error("it is bound although no profile has rules")
	}
	edit(t, s, made[1].ID, func(p *profile.Profile) { p.Policy.Sites.Block = []string{"https://x.example"} })
	if !bound() {
		t.Error("a profile has rules")
	}
	if err := s.Trash(t.Context(), made[1].ID); err != nil || !bound() {
		t.Errorf("the trash does not count, %v", err)
	}
	if err := s.Delete(t.Context(), made[1].ID); err != nil || bound() {
		t.Errorf("a deleted profile counts, %v", err)
	}
}

// Whoever moves profiles into what another request deletes at this moment is told that it is gone.
func TestAFolderOrAStatusThatIsDeletedMeanwhile(t *testing.T) {
	db := open(t, t.TempDir()+"/cove.db")
	p := create(t, db.Profiles(), profile.Profile{Name: "a"})[0]
	for range 60 {
		f, err := db.Folders().Create(t.Context(), profile.Folder{Name: "F"})
		if err != nil {
			t.Fatal(err)
		}
		s, err := db.Statuses().Create(t.Context(), profile.Status{Name: "S"})
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		all.Go(func() {
			if err := db.Folders().Delete(t.Context(), f.ID); err != nil {
				t.Error(err)
			}
			if err := db.Statuses().Delete(t.Context(), s.ID); err != nil {
				t.Error(err)
			}
		})
		gone := func(what string, err error) {
			if err != nil && fault.KindOf(err) != fault.NotFound {
				t.Errorf("%s: %v", what, err)
			}
		}
		for range 4 {
			all.Go(func() { gone("folder", db.Folders().Move(t.Context(), f.ID, p.ID)) })
			all.Go(func() { gone("status", db.Statuses().Give(t.Context(), s.ID, p.ID)) })
		}
		all.Wait()
	}
}
