package adopt

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cove/internal/external"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/session"
)

// world fakes the profiles, of which each stands for the same browser, and browsers that never answer.
type world struct {
	dataDir string
	asked   atomic.Int32
	asking  chan struct{} // has one for each question
	answer  chan struct{} // closed when the person allows
	updated atomic.Bool
}

func (w *world) Get(_ context.Context, id profile.ID) (profile.Profile, error) {
	return profile.Profile{ID: id, Name: "browser " + id.String(),
		External: profile.External{DataDir: w.dataDir, Dir: "Default"}}, nil
}

func (w *world) List(ctx context.Context, q profile.Query) (page profile.Page, err error) {
	for id := range profile.ID(9) {
		if p, _ := w.Get(ctx, id+1); q.Search == "" || q.Search == p.Name {
			page.Profiles = append(page.Profiles, p)
		}
	}
	return page, nil
}

func (w *world) Create(context.Context, ...profile.Profile) ([]profile.Profile, error) {
	return nil, nil
}
func (w *world) Update(context.Context, profile.ID, func(*profile.Profile) error) (profile.Profile, error) {
	w.updated.Store(true)
	return profile.Profile{}, nil
}
func (w *world) MarkOpened(context.Context, profile.ID, time.Time) error { return nil }

func (w *world) LoggedIn(context.Context) error                { return nil }
func (w *world) Automation(context.Context) error              { return nil }
func (w *world) Agents(context.Context, profile.Profile) error { return nil }

func (w *world) Find(context.Context) (map[profile.ID]session.Browser, error) { return nil, nil }
func (w *world) Start(context.Context, profile.Profile, session.Options) (session.Browser, error) {
	w.asked.Add(1)
	w.asking <- struct{}{}
	return &browser{answer: w.answer, done: make(chan struct{})}, nil
}

type browser struct {
	answer, done chan struct{}
	once         sync.Once
}

func (b *browser) Mode() session.Mode { return session.Automation }
func (b *browser) Ready(ctx context.Context, _ func(string)) (session.Endpoint, error) {
	select {
	case <-b.answer:
		return session.Endpoint{Mode: session.Automation}, nil
	case <-ctx.Done():
		return session.Endpoint{}, ctx.Err()
	}
}
func (b *browser) Stop(context.Context) error     { b.once.Do(func() { close(b.done) }); return nil }
func (b *browser) IsClosing(context.Context) bool { return false }
func (b *browser) Closing() <-chan struct{}       { return make(chan struct{}) }
func (b *browser) Done() <-chan struct{}          { return b.done }
func (b *browser) EndReason() session.EndReason   { return session.LetGo }

func newWorld(t *testing.T) (*world, *Handlers) {
	t.Helper()
	w := &world{dataDir: t.TempDir(), asking: make(chan struct{}, 40), answer: make(chan struct{})}
	sessions := session.New(session.Config{Profiles: w, Access: w, Runner: w, Log: slog.New(slog.DiscardHandler),
		AtOnce: 9})
	t.Cleanup(func() { _ = sessions.StopAll(context.Background()) })
	return w, &Handlers{Profiles: w, Sessions: sessions, Questions: &external.Questions{}}
}

func TestManySharingsAskABrowserOnce(t *testing.T) {
	for range 25 {
		w, h := newWorld(t)
		ctx, giveUp := context.WithTimeout(t.Context(), 20*time.Second)
		var all sync.WaitGroup
		var refused atomic.Int32
		for n := range 40 {
			p, _ := w.Get(ctx, profile.ID(n%4+1))
			all.Go(func() {
				_, err := h.share(ctx, p)
				switch {
				case err == nil || ctx.Err() != nil:
				case fault.From(err).Code == fault.CodeAdoptTwice:
					if refused.Add(1) < 30 { // ten wait for the profile that was first
						return
					}
					select {
					case <-w.asking: // the others may be refused before the first has asked
					case <-ctx.Done():
					}
					giveUp()
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		giveUp()
		if n := w.asked.Load(); n != 1 || refused.Load() != 30 {
			t.Fatalf("%d questions, %d were refused", n, refused.Load())
		}
		// Nobody waits any more, and the browser still asks.
		first := h.Sessions.Running()[0].ID
		other, _ := w.Get(ctx, first%4+1)
		if _, err := h.share(t.Context(), other); fault.From(err).Code != fault.CodeAdoptTwice || w.asked.Load() != 1 {
			t.Fatalf("a second question: %v", err)
		}
	}
}

func TestASharingAndAnImport(t *testing.T) {
	w, h := newWorld(t)
	p, _ := w.Get(t.Context(), 1)
	release, _, ok := h.Questions.Reserve(w.dataDir, external.Requester{Profile: 7, Import: true})
	if !ok {
		t.Fatal("the browser is reserved")
	}
	_, err := h.share(t.Context(), p)
	if f := fault.From(err); f.Code != fault.CodeAdoptTwice || !strings.Contains(f.Text, "profile 7") || f.Hint == "" {
		t.Errorf("a sharing during an import: %v", err)
	}
	release()
	close(w.answer)
	if s, err := h.share(t.Context(), p); err != nil || s.State != session.Open {
		t.Fatalf("%+v %v", s, err)
	}
	release, _, ok = h.Questions.Reserve(w.dataDir, external.Requester{Profile: 7, Import: true})
	if !ok {
		t.Error("an import from a shared browser is refused")
	}
	defer release()
	if s, err := h.share(t.Context(), p); err != nil || s.State != session.Open {
		t.Errorf("it is shared already: %+v %v", s, err)
	}
}

func TestTheProfileThatStandsForABrowser(t *testing.T) {
	w, h := newWorld(t)
	source := profile.External{DataDir: w.dataDir, Dir: "Default"}
	if p, err := h.standsFor(t.Context(), source); err != nil || p.ID != 1 {
		t.Errorf("the oldest: %v, %v", p.ID, err)
	}
	close(w.answer)
	p, _ := w.Get(t.Context(), 3)
	if _, err := h.share(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if p, err := h.standsFor(t.Context(), source); err != nil || p.ID != 3 {
		t.Errorf("the one that is open: %v, %v", p.ID, err)
	}
	source.Dir = "Profile 1"
	if p, err := h.standsFor(t.Context(), source); err != nil || p.ID != 0 {
		t.Errorf("another profile of that browser: %v, %v", p.ID, err)
	}
}

// TestAnotherSpellingIsTheSameBrowser, which keeps what its person has decided about it.
func TestAnotherSpellingIsTheSameBrowser(t *testing.T) {
	w, h := newWorld(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(w.dataDir, link); err != nil {
		t.Skip("this system has no links for users")
	}
	named := profile.Profile{Name: "browser 3", External: profile.External{DataDir: link, Dir: "Default"}}
	if p, err := h.findOrCreate(t.Context(), named); err != nil || p.ID != 3 || w.updated.Load() {
		t.Errorf("%v %v, updated: %v", p.ID, err, w.updated.Load())
	}
	named.External.Dir = "Profile 1"
	if _, err := h.findOrCreate(t.Context(), named); err != nil || !w.updated.Load() {
		t.Errorf("another profile of it: %v, updated: %v", err, w.updated.Load())
	}
}
