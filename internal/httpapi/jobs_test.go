package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"cove/api"
	"cove/internal/event"
	"cove/internal/job"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// crowd is an office with n profiles more, each with the tag old. It returns the ids of all.
func crowd(t *testing.T, n int) (*office, []profile.ID) {
	t.Helper()
	o := newOffice(t)
	ps := make([]profile.Profile, n)
	for i := range ps {
		ps[i] = profile.Profile{Name: fmt.Sprint("profile ", i), Tags: []string{"old"}}
	}
	made, err := o.config.Profiles.Create(t.Context(), ps...)
	if err != nil {
		t.Fatal(err)
	}
	ids := []profile.ID{1}
	for _, p := range made {
		ids = append(ids, p.ID)
	}
	return o, ids
}

// change asks for a change of many profiles, and returns the job.
func (o *office) change(token string, ids []profile.ID, change string) api.Job {
	o.t.Helper()
	list, _ := json.Marshal(ids)
	status, _, answer := o.send(token, "PATCH", "/browser_profiles", `{"ids":`+string(list)+`,"change":`+change+`}`)
	var got api.JobData
	if err := json.Unmarshal([]byte(answer), &got); err != nil || status != 200 || got.Data.ID == "" {
		o.t.Fatalf("%s answers %d: %s", change, status, answer)
	}
	return got.Data
}

// finish waits until a job has ended.
func (o *office) finish(one api.Job) api.Job {
	o.t.Helper()
	sub := o.jobs.Subscribe()
	defer sub.Close()
	for {
		status, _, answer := o.send(o.token, "GET", "/jobs/"+one.ID, "")
		var got api.JobData
		if err := json.Unmarshal([]byte(answer), &got); err != nil || status != 200 {
			o.t.Fatalf("%d %s", status, answer)
		}
		if job.State(got.Data.State).Ended() {
			return got.Data
		}
		<-sub.C()
	}
}

// all reads the profiles, in the trash or not.
func (o *office) all(trashed bool) []profile.Profile {
	o.t.Helper()
	page, err := o.config.Profiles.List(o.t.Context(),
		profile.Query{Page: 1, PerPage: profile.MaxPerPage, Sort: profile.ByID, Trashed: trashed})
	if err != nil {
		o.t.Fatal(err)
	}
	return page.Profiles
}

func TestOneCallChangesManyProfiles(t *testing.T) {
	o, ids := crowd(t, 600)
	for _, c := range []struct {
		change, kind string
		right        func(profile.Profile) bool
	}{
		{`{"addTags":["new","two"],"removeTags":["old"]}`, "tags", func(p profile.Profile) bool {
			return slices.Equal(p.Tags, []string{"new", "two"})
		}},
		{`{"addTags":"two"}`, "tags", func(p profile.Profile) bool { return slices.Equal(p.Tags, []string{"new", "two"}) }},
		{`{"folder":"Shops"}`, "folder", func(p profile.Profile) bool { return p.Folder == "Shops" && p.FolderID == 1 }},
		{`{"folder":null}`, "folder", func(p profile.Profile) bool { return p.Folder == "" }},
		{`{"notes":"read me","folder":"Labs"}`, "several", func(p profile.Profile) bool {
			return p.Notes == "read me" && p.Folder == "Labs"
		}},
		{`{"proxy":{"type":"http","host":"h.example","port":80}}`, "proxy", func(p profile.Profile) bool {
			return p.Proxy.Host == "h.example" && p.ProxyID == 1
		}},
		{`{"proxy":""}`, "proxy", func(p profile.Profile) bool { return !p.Proxy.Set() }},
	} {
		one := o.change(o.token, ids, c.change)
		if one.Kind != c.kind || one.Total != 601 || one.State != "running" {
			t.Errorf("%s: %+v", c.change, one)
		}
		if done := o.finish(one); done.State != "done" || done.Done != 601 || done.Failed != 0 || done.EndedAt == nil {
			t.Errorf("%s: %+v", c.change, done)
		}
		for _, p := range o.all(false) {
			if !c.right(p) || !strings.HasPrefix(p.Name, "profile") && p.ID != 1 {
				t.Fatalf("%s: %+v", c.change, p)
			}
		}
	}
}

func TestAJobTrashesRestoresAndDeletes(t *testing.T) {
	o, ids := crowd(t, 9)
	for _, c := range []struct {
		action        string
		kept, trashed int
	}{{"trash", 0, 10}, {"restore", 10, 0}, {"restore", 10, 0}, {"trash", 0, 10}, {"delete", 0, 0}} {
		if s := o.finish(o.change(o.token, ids, `{"action":"`+c.action+`"}`)); s.Done != 10 || s.Kind != c.action {
			t.Errorf("%s: %+v", c.action, s)
		}
		if kept, trashed := len(o.all(false)), len(o.all(true)); kept != c.kept || trashed != c.trashed {
			t.Errorf("%s: %d, and %d in the trash", c.action, kept, trashed)
		}
	}
}

// slowProfiles waits before each change of many profiles: it says so, and goes on when it is told to.
type slowProfiles struct {
	Profiles
	begun, goOn chan struct{}
}

func (s slowProfiles) UpdateMany(ctx context.Context, ids []profile.ID, edit func(*profile.Profile) error) error {
	s.begun <- struct{}{}
	<-s.goOn
	return s.Profiles.UpdateMany(ctx, ids, edit)
}

// TestTaggingManyProfilesCanBeCancelled: one call starts a job, which is cancelled in its middle. What had
// begun is whole, nothing else has changed, and the same call finishes the work.
func TestTaggingManyProfilesCanBeCancelled(t *testing.T) {
	o, ids := crowd(t, 1999)
	slow := slowProfiles{o.config.Profiles, make(chan struct{}), make(chan struct{})}
	o.rebuild(func(c *Config) { c.Profiles = slow })
	before := o.all(false)
	one := o.change(o.token, ids, `{"addTags":["new"]}`)
	at := func() api.Job {
		t.Helper()
		_, _, answer := o.send(o.token, "GET", "/jobs/"+one.ID, "")
		var got api.JobData
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			t.Fatal(err)
		}
		return got.Data
	}

	for i := range 3 {
		<-slow.begun
		if got := at(); got.State != "running" || got.Total != 2000 || got.Done != i*250 {
			t.Errorf("before batch %d: %+v", i, got)
		}
		slow.goOn <- struct{}{}
	}
	<-slow.begun
	if status, _, answer := o.send(o.token, "DELETE", "/jobs/"+one.ID, ""); status != 200 ||
		!strings.Contains(answer, `"state":"cancelling"`) {
		t.Errorf("Cancel answers %d %s", status, answer)
	}
	slow.goOn <- struct{}{}
	if got := o.finish(one); got.State != "cancelled" || got.Done != 4*250 || got.Failed != 0 || got.EndedAt == nil {
		t.Errorf("%+v", got)
	}
	for i, p := range o.all(false) {
		was := before[i]
		if p.ID <= 4*250 {
			was.Tags = append(slices.Clone(was.Tags), "new")
		}
		if !slices.Equal(p.Tags, was.Tags) || p.Name != was.Name || p.Folder != was.Folder {
			t.Fatalf("after Cancel profile %d is %+v, before it was %+v", p.ID, p, before[i])
		}
	}

	again := o.change(o.token, ids, `{"addTags":["new"]}`)
	for range 8 {
		<-slow.begun
		slow.goOn <- struct{}{}
	}
	if got := o.finish(again); got.State != "done" || got.Done != 2000 {
		t.Errorf("%+v", got)
	}
	for i, p := range o.all(false) {
		if !slices.Equal(p.Tags, append(slices.Clone(before[i].Tags), "new")) {
			t.Fatalf("profile %d has the tags %v", p.ID, p.Tags)
		}
	}
}

func TestAProfileThatFailsDoesNotStopTheOthers(t *testing.T) {
	o, ids := crowd(t, 300)
	full := make([]string, 50)
	for i := range full {
		full[i] = fmt.Sprint("tag", i)
	}
	if err := o.config.Profiles.UpdateMany(t.Context(), []profile.ID{77}, func(p *profile.Profile) error {
		p.Tags = full
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s := o.finish(o.change(o.token, append(ids, 9999), `{"addTags":["more"]}`))
	if s.Done != 300 || s.Failed != 2 || len(s.Failures) != 2 || s.Failures[0].Profile != 77 ||
		s.Failures[0].Text != "A profile has at most 50 tags." || s.Failures[1].Profile != 9999 ||
		s.Failures[1].Code != "E_NOT_FOUND" {
		t.Errorf("%+v", s)
	}
	for _, p := range o.all(false) {
		if slices.Contains(p.Tags, "more") == (p.ID == 77) {
			t.Errorf("profile %d has the tags %v", p.ID, p.Tags)
		}
	}
}

func TestAJobAsksForTheSameRightsAsAnEdit(t *testing.T) {
	o, _ := crowd(t, 2)
	guarded := policy.Policy{Preset: policy.Guarded}
	if _, err := o.config.Profiles.Update(t.Context(), 2, func(p *profile.Profile) error {
		p.Policy, p.Proxy = guarded, proxy.Proxy{Type: "http", Host: "h.example", Port: 80}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	o.want(403, "E_NOT_PERSON", o.token, "PATCH", "/browser_profiles", `{"ids":[1,2,3],"change":{"proxy":""}}`)
	o.want(401, "E_UNAUTHORIZED", "", "PATCH", "/browser_profiles", `{"ids":[1],"change":{"notes":""}}`)
	if len(o.jobs.List()) != 0 {
		t.Error("a refused change has made a job")
	}
	if s := o.finish(o.change(ownersToken, []profile.ID{1, 2, 3}, `{"proxy":""}`)); s.Done != 3 {
		t.Errorf("%+v", s)
	}
	o.want(404, "E_NOT_FOUND", o.token, "GET", "/jobs/none", "")
	o.want(404, "E_NOT_FOUND", o.token, "DELETE", "/jobs/none", "")
}

func TestAChangeOfManyIsChecked(t *testing.T) {
	o, _ := crowd(t, 1)
	for field, body := range map[string]string{
		"ids":            `{"ids":[],"change":{"notes":"x"}}`,
		"change":         `{"ids":[1]}`,
		"change.name":    `{"ids":[1],"change":{"name":"all"}}`,
		"change.action":  `{"ids":[1],"change":{"action":"explode"}}`,
		"change.addTags": `{"ids":[1],"change":{"addTags":["` + strings.Repeat("x", 65) + `"]}}`,
		"change.folder":  `{"ids":[1],"change":{"folder":7}}`,
		"change.proxy":   `{"ids":[1],"change":{"proxy":{"id":7}}}`,
		"change.notes":   `{"ids":[1],"change":{"notes":"a\u0001"}}`,
	} {
		o.wants(field, "PATCH", "/browser_profiles", body)
	}
	o.wants("change", "PATCH", "/browser_profiles", `{"ids":[1],"change":{"action":"trash","notes":"x"}}`)
}

// eventLines is the answer to a caller who follows the events.
type eventLines struct {
	header http.Header
	lines  chan string
}

func (e eventLines) Header() http.Header { return e.header }
func (e eventLines) WriteHeader(int)     {}
func (e eventLines) Flush()              {}
func (e eventLines) Write(b []byte) (int, error) {
	if _, data, ok := strings.Cut(string(b), "data: "); ok {
		e.lines <- data
	}
	return len(b), nil
}

// follow follows the events until the test ends. It returns after the first one.
func (o *office) follow(token string) <-chan string {
	o.t.Helper()
	r := httptest.NewRequestWithContext(o.t.Context(), http.MethodGet, "http://127.0.0.1:3001/v1.0/events", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	e := eventLines{header: http.Header{}, lines: make(chan string, 100)}
	go o.ServeHTTP(e, r)
	<-e.lines
	return e.lines
}

func TestJobsAreEvents(t *testing.T) {
	o, ids := crowd(t, 600)
	o.rebuild(func(c *Config) { c.Changes = &event.Feed[api.ProfileEvent]{} })
	lines := o.follow(ownersToken)
	one := o.change(o.token, ids, `{"addTags":["new"]}`)
	var seen []int
	for line := range lines {
		var e api.Event
		if json.Unmarshal([]byte(line), &e) != nil || e.Type != "job" {
			continue
		}
		if e.Job.ID != one.ID {
			t.Fatalf("%+v", e.Job)
		}
		if seen = append(seen, e.Job.Done); e.Job.State == "done" {
			break
		}
	}
	if want := []int{0, 250, 500, 601, 601}; !slices.Equal(seen, want) {
		t.Errorf("progress %v, not %v", seen, want)
	}
}
