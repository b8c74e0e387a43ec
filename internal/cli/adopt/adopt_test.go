package adopt

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
)

var tabs = []api.SharedTab{
	{ID: "A1", Title: "Inbox (9)", URL: "https://mail.test/?bank=99"},
	{ID: "B2", Title: "My bank", URL: "https://bank.test/"},
	{ID: "C3", Title: "A transfer", URL: "https://bank.test/transfer", Shared: true},
	{ID: "D4", Title: "News", URL: "https://news.test/a", Agents: true},
}

func TestATabIsNamed(t *testing.T) {
	for name, row := range map[string]struct {
		word    string
		unshare bool
		want    string // its id, or the kind of the error
	}{
		"by a number, never":                       {word: "2", want: "invalid"},
		"by digits of a URL, never":                {word: "99", want: "invalid"},
		"by its id":                                {word: "C3", want: "C3"},
		"by its URL, though others contain it":     {word: "https://bank.test/", want: "B2"},
		"by its URL without the last slash":        {word: "https://bank.test", want: "B2"},
		"by a part of its URL":                     {word: "mail.test", want: "A1"},
		"by its title":                             {word: "inbox", want: "A1"},
		"by a word of several, never":              {word: "bank", want: "conflict"},
		"by a word of none, never":                 {word: "elsewhere", want: "not_found"},
		"by a word of several, if agents see one":  {word: "bank.test", unshare: true, want: "C3"},
		"by the word of one that no agent can see": {word: "inbox", unshare: true, want: "A1"},
	} {
		t.Run(name, func(t *testing.T) {
			at, several, err := find(tabs, row.word, !row.unshare)
			got := string(fault.KindOf(err))
			if err == nil {
				got = tabs[at].ID
			}
			if got != row.want || (got == "conflict") != (len(several) > 1) {
				t.Errorf("%q %v %v", got, several, err)
			}
		})
	}
}

func TestAnAnswerIsANumberOfTheList(t *testing.T) {
	for word, want := range map[string]string{"1": "A1", "4": "D4", "0": "", "5": "", "99999999999999999999": ""} {
		at, err := numbered(tabs, word)
		if (err == nil) != (want != "") || (err == nil && tabs[at].ID != want) {
			t.Errorf("%s: %d %v", word, at, err)
		}
	}
}

// fake is an app with some profiles, in which browsers are shared by what share does.
type fake struct {
	*httptest.Server
	mu       sync.Mutex
	profiles []api.Profile
	sources  []api.LoginSource
	steps    []string
	share    func(p *api.Profile) *fault.Error
	waiting  chan struct{} // closed when somebody waits for a share that never ends
	chosen   api.TabChoice
	asked    []api.ProfileID
	deleted  []api.ProfileID
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{waiting: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1.0/browser_profiles", func(w http.ResponseWriter, _ *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		answer(w, api.ProfileList{Data: f.profiles})
	})
	mux.HandleFunc("GET /v1.0/login_sources", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, api.LoginSources{Data: f.sources})
	})
	mux.HandleFunc("GET /v1.0/events", func(w http.ResponseWriter, r *http.Request) {
		for _, step := range f.steps {
			raw, _ := json.Marshal(api.Event{Type: "session", Session: &api.SessionEvent{ID: 2, State: "starting",
				Step: step}})
			_, _ = fmt.Fprintf(w, "event: session\ndata: %s\n\n", raw)
		}
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("POST /v1.0/adopt", func(w http.ResponseWriter, r *http.Request) {
		var in api.AdoptInput
		_ = json.NewDecoder(r.Body).Decode(&in)
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, p := range f.profiles {
			if p.External.DataDir == in.DataDir && (in.Name == "" || in.Name == p.Name) {
				answer(w, api.Created{BrowserProfileID: p.ID})
				return
			}
		}
		if in.Name == "" {
			in.Name = usualName
		}
		now := time.Now()
		f.profiles = append(f.profiles, api.Profile{ID: api.ProfileID(len(f.profiles) + 2), Name: in.Name,
			State: "closed", External: &api.External{DataDir: in.DataDir, Dir: "Default"}, UpdatedAt: &now})
		answer(w, api.Created{BrowserProfileID: f.profiles[len(f.profiles)-1].ID})
	})
	mux.HandleFunc("/v1.0/browser_profiles/{id}", func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		p := f.find(r.PathValue("id"))
		if r.Method == http.MethodDelete {
			f.deleted = append(f.deleted, p.ID)
		}
		answer(w, api.ProfileData{Data: *p})
	})
	mux.HandleFunc("POST /v1.0/browser_profiles/{id}/adopt", func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		p := f.find(r.PathValue("id"))
		f.asked = append(f.asked, p.ID)
		f.mu.Unlock()
		if f.share == nil {
			close(f.waiting)
			<-r.Context().Done()
			return
		}
		if err := f.share(p); err != nil {
			w.WriteHeader(http.StatusConflict)
			answer(w, api.Error{ErrorObject: api.ErrorObject{Type: err.Kind, Code: err.Code, Text: err.Text,
				Hint: err.Hint}})
			return
		}
		answer(w, api.Started{Success: true})
	})
	mux.HandleFunc("/v1.0/browser_profiles/{id}/stop", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, api.OK{Success: true})
	})
	mux.HandleFunc("/v1.0/browser_profiles/{id}/tabs", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_ = json.NewDecoder(r.Body).Decode(&f.chosen)
		}
		answer(w, api.SharedTabs{Data: tabs})
	})
	f.Server = httptest.NewServer(mux)
	t.Cleanup(f.Close)
	return f
}

func (f *fake) find(id string) *api.Profile {
	at := slices.IndexFunc(f.profiles, func(p api.Profile) bool { return p.ID.String() == id })
	return &f.profiles[at]
}

func answer(w http.ResponseWriter, v any) { _ = json.NewEncoder(w).Encode(v) }

// run returns what `cove adopt` prints, and its error.
func (f *fake) run(ctx context.Context, name, from string) (out, said string, err error) {
	var o, e bytes.Buffer
	env := &command.Env{Home: "/nowhere", In: strings.NewReader(""), Out: &o, Err: &e}
	err = adopt(ctx, env, &api.Client{Base: f.URL}, name, from)
	return o.String(), e.String(), err
}

const closed = "closed"

func standing(id api.ProfileID, name, state, dir string) api.Profile {
	at := time.Now()
	return api.Profile{ID: id, Name: name, State: state, External: &api.External{DataDir: dir, Dir: "Default"},
		OpenedAt: &at, UpdatedAt: &at}
}

func allow(*api.Profile) *fault.Error { return nil }

func TestTheProfileIsChosenByTheBrowser(t *testing.T) {
	dir := func(name string) string { return filepath.Join(string(filepath.Separator), name) }
	source := func(name string, open bool) api.LoginSource {
		return api.LoginSource{Name: "Browser " + name, DataDir: dir(name), Open: open,
			Profiles: []api.LoginProfile{{Dir: "Default", Name: "Ann"}}}
	}
	for name, row := range map[string]struct {
		profiles   []api.Profile
		sources    []api.LoginSource
		name, from string
		want       api.ProfileID
		made       bool
		out, said  string
		silent     string
	}{
		"the one that stands for the browser that runs": {
			profiles: []api.Profile{standing(2, usualName, closed, dir("a")), standing(3, "work", closed, dir("b"))},
			sources:  []api.LoginSource{source("a", false), source("b", true)}, want: 3, out: "shared as work"},
		"the one that stands for a browser that is named": {
			profiles: []api.Profile{standing(2, usualName, closed, dir("a")), standing(3, "work", closed, dir("b"))},
			from:     dir("b"), want: 3, out: "shared as work"},
		"the usual one, which says what it waits for": {
			profiles: []api.Profile{standing(2, usualName, closed, dir("a"))},
			sources:  []api.LoginSource{source("a", false), source("b", true)}, want: 2,
			out: "shared as my-browser", said: "Browser a (" + dir("a/Default") + ")"},
		"the only one, if no browser runs": {
			profiles: []api.Profile{standing(3, "work", "closed", dir("a"))},
			sources:  []api.LoginSource{source("a", false), source("b", false)}, want: 3, out: "shared as work"},
		"the one that is shared already, without the instructions": {
			profiles: []api.Profile{standing(2, "work", "open", dir("x"))}, want: 2,
			out: "shared already, as work", silent: "Connecting"},
		"a new one for a browser without, with the instructions": {
			sources: []api.LoginSource{source("a", true)}, want: 2, made: true, out: "shared as my-browser",
			said: "It holds everything you are logged in to."},
		"a new one that is named": {
			profiles: []api.Profile{standing(2, "work", "closed", dir("b"))}, name: "mine", from: dir("a"), want: 3,
			made: true, out: "adopt share mine", said: "press Cancel if it asks again"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.profiles, f.sources, f.share = row.profiles, row.sources, allow
			out, said, err := f.run(t.Context(), row.name, row.from)
			if err != nil || !slices.Equal(f.asked, []api.ProfileID{row.want}) || len(f.deleted) > 0 {
				t.Fatalf("%v, asked %v, deleted %v", err, f.asked, f.deleted)
			}
			if (len(f.profiles) > len(row.profiles)) != row.made {
				t.Errorf("%d profiles", len(f.profiles))
			}
			if !strings.Contains(out, row.out) || !strings.Contains(said, row.said) ||
				(row.silent != "" && strings.Contains(said, row.silent)) {
				t.Errorf("%s\n%s", out, said)
			}
		})
	}
}

func TestAProfileThatNobodySharedGoesAgain(t *testing.T) {
	there := []api.Profile{standing(2, usualName, closed, "/x")}
	refuse := func(*api.Profile) *fault.Error { return fault.New(fault.CodeAdoptRefused, "No.", "Again.") }
	for name, row := range map[string]struct {
		share   func(p *api.Profile) *fault.Error
		before  []api.Profile
		deleted bool
	}{
		"after a refusal":                    {share: refuse, deleted: true},
		"after Ctrl-C":                       {deleted: true},
		"but not one that was there":         {share: refuse, before: there},
		"and not one that was there, Ctrl-C": {before: there},
		"but not one that was changed meanwhile": {share: func(p *api.Profile) *fault.Error {
			at := time.Now().Add(time.Second)
			p.UpdatedAt = &at
			return refuse(p)
		}},
		"but not one that was shared meanwhile": {share: func(p *api.Profile) *fault.Error {
			at := time.Now()
			p.OpenedAt = &at
			return refuse(p)
		}},
		"but not after another failure": {share: func(*api.Profile) *fault.Error {
			return fault.New(fault.CodeAdoptLost, "Lost.", "Share it again with: cove adopt 2")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.share, f.profiles = row.share, row.before
			f.steps = []string{"no-browser", "switch-off", "wait-allow"}
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			go func() {
				<-f.waiting
				interrupt()
			}()
			_, _, err := f.run(ctx, "", "/x")
			if (len(f.deleted) == 1) != row.deleted || err == nil {
				t.Errorf("%v, deleted %v", err, f.deleted)
			}
			if code, _, hint := exit.Explain(err, true); row.share == nil &&
				(code != exit.Internal || !strings.Contains(hint, "press Cancel")) {
				t.Errorf("it exits %d: %s", code, hint)
			}
			f.Close()
		})
	}
}

func TestTheStepsNameTheBrowser(t *testing.T) {
	p := standing(2, usualName, "closed", "/a")
	p.OpenedAt = nil
	one := target{profile: p, sources: []api.LoginSource{{Name: "Chromium", DataDir: "/a"},
		{Name: "Brave", DataDir: "/b c", Open: true}, {Name: "Edge", DataDir: "/e"}}}
	for _, step := range []string{"no-browser", "switch-off", "wait-allow", "other-profile"} {
		if text := one.step(step); !strings.Contains(text, "Chromium ("+filepath.Join("/a", "Default")+")") {
			t.Errorf("%s: %s", step, text)
		}
	}
	if text := one.step("no-browser"); !strings.Contains(text, "Brave (/b c) is open") ||
		!strings.Contains(text, "--from '/b c'") || strings.Contains(text, "Edge") {
		t.Error(text)
	}
	if text := one.step("reading"); text != "" {
		t.Error(text)
	}
	for _, words := range []string{"everything you are logged in to", "press Allow", "press Cancel if it asks again",
		"Agents see only the tabs that you share", "that any of these open", "any program here can ask",
		"cove stop my-browser", "untick", "Ctrl-C"} {
		if !strings.Contains(one.before(), words) {
			t.Errorf("before the question: no %q in %s", words, one.before())
		}
	}
	if one.profile = standing(2, usualName, "closed", "/a"); strings.Contains(one.before(), "everything") ||
		!strings.Contains(one.before(), "Ctrl-C") {
		t.Errorf("of one that was shared before: %s", one.before())
	}
	if one.changed = true; !strings.Contains(one.before(), "everything") {
		t.Errorf("of one that stood for another browser: %s", one.before())
	}
}

func TestTabsAreSharedAndHidden(t *testing.T) {
	for name, row := range map[string]struct {
		words     []string
		answer    string // to the question for tabs
		share     bool
		want      api.TabChoice
		out, said string
		fails     bool
	}{
		"with the next step": {words: []string{"inbox", "news"}, share: true,
			want: api.TabChoice{Share: []string{"A1", "D4"}}, out: "cove client add CLIENT 'my browser'"},
		"by their numbers in the list that is shown": {answer: "1, 2 news", share: true,
			want: api.TabChoice{Share: []string{"A1", "B2", "D4"}}, said: "3  A transfer"},
		"but for one that is not shared": {words: []string{"inbox", "transfer"},
			want: api.TabChoice{Unshare: []string{"C3"}}, said: "This tab is not shared: Inbox (9)"},
		"but for one that agents opened": {words: []string{"news"}, want: api.TabChoice{Unshare: []string{"D4"}},
			out: "Agents opened News themselves"},
		"unless the word has several":   {words: []string{"bank"}, share: true, fails: true, said: "\nA transfer"},
		"unless there is no such one":   {words: []string{"elsewhere"}, share: true, fails: true, said: "\nNews"},
		"unless a number names one":     {words: []string{"2"}, share: true, fails: true},
		"unless one number is too high": {answer: "1 9", share: true, fails: true, said: "1  Inbox"},
		"unless nothing is answered":    {share: true, fails: true, said: "Which tabs?"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			var out, said bytes.Buffer
			env := &command.Env{Home: "/nowhere", In: strings.NewReader(row.answer + "\n"), Out: &out, Err: &said}
			err := changeTabs(t.Context(), env, &api.Client{Base: f.URL}, 2, "my browser", row.words, row.share)
			if (err != nil) != row.fails || fmt.Sprint(f.chosen) != fmt.Sprint(row.want) {
				t.Errorf("%v %+v", err, f.chosen)
			}
			if !strings.Contains(strings.ReplaceAll(out.String(), command.CallName(), "cove"), row.out) ||
				!strings.Contains(said.String(), row.said) {
				t.Errorf("%s\n%s", out.String(), said.String())
			}
			if slices.Contains(row.words, "bank") && strings.Contains(said.String(), "News") {
				t.Errorf("it lists tabs without the word: %s", said.String())
			}
		})
	}
}
