package imports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/importer"
	"cove/internal/profile"
)

// fakeApp keeps profiles in memory, as the app does.
type fakeApp struct {
	profiles []api.Profile
	jars     map[profile.ID]string
	imports  int
	// before is called before cookies are imported, and editing before a profile is edited.
	before, editing func(id profile.ID) error
}

func (a *fakeApp) List(_ context.Context, q url.Values) (l api.ProfileList, _ error) {
	page, _ := strconv.Atoi(q.Get("page"))
	limit, _ := strconv.Atoi(q.Get("limit"))
	from := min((page-1)*limit, len(a.profiles))
	l.Data = a.profiles[from:min(from+limit, len(a.profiles))]
	return l, nil
}

func (a *fakeApp) Get(_ context.Context, id profile.ID) (api.Profile, error) {
	return a.profiles[id-1], nil
}

func (a *fakeApp) Edit(ctx context.Context, id profile.ID, in api.ProfileInput) (api.Profile, error) {
	if a.editing != nil {
		if err := a.editing(id); err != nil {
			return api.Profile{}, err
		}
	}
	if ctx.Err() != nil {
		return api.Profile{}, ctx.Err()
	}
	a.profiles[id-1].Tags = *in.Tags
	return a.profiles[id-1], nil
}

func (a *fakeApp) Import(_ context.Context, in api.ImportInput) (out api.Imported, _ error) {
	out = api.Imported{Success: true, DryRun: in.DryRun, Profiles: len(in.Profiles)}
	if in.DryRun {
		return out, nil
	}
	a.imports++
	for _, p := range in.Profiles {
		id := profile.ID(len(a.profiles) + 1)
		a.profiles = append(a.profiles, api.Profile{ID: id, Name: p.Name, Tags: p.Tags, Proxy: p.Proxy})
		out.IDs = append(out.IDs, id)
	}
	return out, nil
}

func (a *fakeApp) importCookies(ctx context.Context, id profile.ID, file string) (
	done api.CookiesImported, err error,
) {
	if a.before != nil {
		if err := a.before(id); err != nil {
			return done, err
		}
	}
	if ctx.Err() != nil {
		return done, ctx.Err()
	}
	a.jars[id] = file
	return api.CookiesImported{Success: true, Imported: 1}, nil
}

// tagged lists the profiles that wait for their cookies.
func (a *fakeApp) tagged() (names []string) {
	for _, p := range a.profiles {
		if slices.Contains(p.Tags, MissingTag) {
			names = append(names, p.Name)
		}
	}
	return names
}

const jar = `"[{""name"":""c"",""value"":""v"",""domain"":""a.example""}]"`

// table has four profiles, three with cookies.
const table = "name,tags,proxy,cookies\nA,x,h.example:1," + jar + "\nB,,," + jar + "\nC,,,\nD,,," + jar + "\n"

func do(t *testing.T, ctx context.Context, a *fakeApp, text string) (string, error) {
	t.Helper()
	return doWith(ctx, a, text, options{yes: true})
}

func doWith(ctx context.Context, a *fakeApp, text string, o options) (string, error) {
	plan := importer.Read(importer.CSV, []importer.File{{Name: "t.csv", Data: []byte(text)}}, time.Now())
	var out bytes.Buffer
	env := &command.Env{In: strings.NewReader(""), Out: &out, Err: &out, JSON: false}
	err := refuse(&out, plan)
	if err == nil {
		err = run(ctx, env, app{a, a.importCookies}, plan, o)
	}
	return out.String(), err
}

func TestCookiesFollowTheProfiles(t *testing.T) {
	a := &fakeApp{jars: map[profile.ID]string{}}
	out, err := do(t, t.Context(), a, table)
	if err != nil || len(a.jars) != 3 || len(a.tagged()) > 0 || !slices.Equal(a.profiles[0].Tags, []string{"x"}) {
		t.Errorf("%v, %d jars, tags %v\n%s", err, len(a.jars), a.tagged(), out)
	}
	if !strings.Contains(out, "Importing cookies 3 of 3: D") || !strings.Contains(out, "Imported 3 cookies into 3 profiles") {
		t.Errorf("got %s", out)
	}
	// Nothing is made twice, and no cookies are set again.
	a.jars = map[profile.ID]string{}
	out, err = do(t, t.Context(), a, table)
	if err != nil || len(a.profiles) != 4 || len(a.jars) > 0 || a.imports != 1 {
		t.Errorf("again: %v, %d profiles, %d jars\n%s", err, len(a.profiles), len(a.jars), out)
	}
}

func TestAnImportThatIsStoppedGoesOnLater(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	a := &fakeApp{jars: map[profile.ID]string{}}
	a.before = func(id profile.ID) error {
		if id == 2 {
			stop()
		}
		return nil
	}
	_, err := do(t, ctx, a, table)
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.CodeCancelled ||
		!strings.Contains(f.Text, "of 2 profiles were not imported") {
		t.Errorf("got %v", err)
	}
	if !slices.Equal(a.tagged(), []string{"B", "D"}) || len(a.profiles) != 4 || len(a.jars) != 1 {
		t.Errorf("tagged %v, %d profiles, %d jars", a.tagged(), len(a.profiles), len(a.jars))
	}
	a.before, a.jars = nil, map[profile.ID]string{}
	out, err := do(t, t.Context(), a, table)
	if err != nil || len(a.tagged()) > 0 || len(a.profiles) != 4 || len(a.jars) != 2 || a.jars[1] != "" {
		t.Errorf("%v, tagged %v, %d profiles, %d jars\n%s", err, a.tagged(), len(a.profiles), len(a.jars), out)
	}
}

func TestAFailureOfOneProfilesCookiesLeavesTheOthersWhole(t *testing.T) {
	a := &fakeApp{jars: map[profile.ID]string{}}
	a.before = func(id profile.ID) error {
		if id == 2 {
			return fault.New(fault.CodeNoBrowser, "No browser was found.", "")
		}
		return nil
	}
	_, err := do(t, t.Context(), a, table)
	if f := fault.From(err); f.Code != fault.CodeNoBrowser || !strings.Contains(f.Text, "1 profile") ||
		!strings.Contains(f.Hint, "same command again") {
		t.Errorf("got %+v", f)
	}
	if !slices.Equal(a.tagged(), []string{"B"}) || len(a.jars) != 2 {
		t.Errorf("tagged %v, %d jars", a.tagged(), len(a.jars))
	}
	// Without the app nothing more is tried.
	a = &fakeApp{jars: map[profile.ID]string{}, before: func(profile.ID) error { return api.ErrNoApp }}
	if _, err = do(t, t.Context(), a, table); len(a.tagged()) != 3 || err == nil {
		t.Errorf("%v, tagged %v", err, a.tagged())
	}
}

func TestProfilesOfOneNameAreCounted(t *testing.T) {
	a := &fakeApp{jars: map[profile.ID]string{}}
	const three = "name,proxy\nA,\nA,\nA,h.example:1\n"
	if _, err := do(t, t.Context(), a, "name\nA\n"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := do(t, t.Context(), a, three); err != nil || len(a.profiles) != 3 {
			t.Errorf("%v, %d profiles", err, len(a.profiles))
		}
	}
}

func TestTheReportHasNoSecrets(t *testing.T) {
	plan := importer.Read(importer.CSV, []importer.File{{Name: "t.csv",
		Data: []byte("name,proxy,cookies\nA,h.example:1:me:hunter2," + strings.Replace(jar, `"v"`, `"hunter2"`, 1) + "\n")}}, time.Now())
	r := report{items: match(plan, nil, false)}
	raw, err := json.Marshal(r.shown())
	if err != nil || strings.Contains(string(raw), "hunter2") || !strings.Contains(string(raw), "http://me@h.example:1") {
		t.Errorf("%v: %s", err, raw)
	}
}

func TestCookiesThatComeLaterAreNamedAndImportedOnDemand(t *testing.T) {
	a := &fakeApp{jars: map[profile.ID]string{}}
	if _, err := do(t, t.Context(), a, "name,proxy\nA,h.example:1\nC,\n"); err != nil {
		t.Fatal(err)
	}
	const later = "name,proxy,cookies\nA,h.example:1," + jar + "\nC,,\n"
	for _, o := range []options{{yes: true}, {dry: true}} {
		out, err := doWith(t.Context(), a, later, o)
		if err != nil || len(a.jars) > 0 || strings.Contains(out, "everything is already there") ||
			!strings.Contains(out, "Note: The cookies of 1 profile are not imported, because it is already there: A. "+
				"Add --update-cookies to import them, too.") {
			t.Errorf("%+v: %v, %d jars\n%s", o, err, len(a.jars), out)
		}
	}
	out, err := doWith(t.Context(), a, later, options{yes: true, updateCookies: true})
	if err != nil || len(a.jars) != 1 || a.jars[1] == "" || !strings.Contains(out, "Imported 1 cookie into 1 profile") ||
		strings.Contains(out, "not imported") || len(a.profiles) != 2 {
		t.Errorf("%v, jars %v\n%s", err, a.jars, out)
	}
	// If it fails, nothing is said about a tag that the profile does not have.
	a.before = func(profile.ID) error { return fault.New(fault.CodeNoBrowser, "No browser was found.", "") }
	_, err = doWith(t.Context(), a, later, options{yes: true, updateCookies: true})
	if f := fault.From(err); f.Code != fault.CodeNoBrowser || strings.Contains(f.Text, MissingTag) {
		t.Errorf("got %+v", f)
	}
}

func TestManyProfilesWithoutTheirCookiesAreNamedInShort(t *testing.T) {
	a := &fakeApp{jars: map[profile.ID]string{}}
	var names, with strings.Builder
	names.WriteString("name\n")
	with.WriteString("name,cookies\n")
	for i := range 12 {
		names.WriteString("p" + strconv.Itoa(i) + "\n")
		with.WriteString("p" + strconv.Itoa(i) + "," + jar + "\n")
	}
	if _, err := do(t, t.Context(), a, names.String()); err != nil {
		t.Fatal(err)
	}
	out, err := do(t, t.Context(), a, with.String())
	if err != nil || !strings.Contains(out, "The cookies of 12 profiles are not imported, because they are already there: "+
		"p0, p1, p2, p3, p4, p5, p6, p7 and 4 more.") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestOldCookiesNeverReplaceThoseOfAProfileInUse(t *testing.T) {
	a := &fakeApp{jars: map[profile.ID]string{}}
	a.editing = func(id profile.ID) error {
		if id == 1 {
			return fault.New(fault.CodeInternal, "The disk is full.", "")
		}
		return nil
	}
	_, err := do(t, t.Context(), a, table)
	if f := fault.From(err); !strings.Contains(f.Text, "The cookies were imported, but the tag "+MissingTag+
		" is still on 1 profile (The disk is full)") || f.Code != fault.CodeInternal || !slices.Equal(a.tagged(), []string{"A"}) {
		t.Errorf("got %+v, tagged %v", f, a.tagged())
	}
	// The person logs in somewhere, and runs the same command again.
	opened := time.Now()
	a.profiles[0].OpenedAt, a.editing, a.jars = &opened, nil, map[profile.ID]string{}
	out, err := do(t, t.Context(), a, table)
	if err != nil || len(a.jars) > 0 || !strings.Contains(out, "The cookies of 3 profiles are not imported") {
		t.Errorf("%v, %d jars\n%s", err, len(a.jars), out)
	}
}

func TestAnImportThatIsStoppedFinishesTheProfileAtHand(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	a := &fakeApp{jars: map[profile.ID]string{}, editing: func(profile.ID) error { stop(); return nil }}
	_, err := do(t, ctx, a, table)
	if f := fault.From(err); f.Code != fault.CodeCancelled || !slices.Equal(a.tagged(), []string{"B", "D"}) {
		t.Errorf("got %v, tagged %v", err, a.tagged())
	}
}
