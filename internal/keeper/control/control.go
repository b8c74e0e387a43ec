// Package control lets a person work in a tab of an open profile by its live view: with mouse and keyboard, with files
// of theirs, and with what the page asks and offers. Agents wait in that tab meanwhile.
package control

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/input"
	"cove/internal/page/target"
	"cove/internal/policy"
)

// Config is what a Controller works with.
type Config struct {
	Enforcer *policy.Enforcer
	// Forget forgets what is known of a tab that the person has worked in.
	Forget func(tab string)
	// Address returns the address of a page as the journal may have it.
	Address func(address string) string
	Log     *slog.Logger
}

// Controller knows in which tabs of one browser the person works. Begin and End change that; a control also ends when
// its tab closes, when agents are stopped and when nobody watches the tab any more. All methods may be called from any
// goroutine.
type Controller struct {
	config Config
	// Changed announces every change of State.
	changed target.Signal

	mu       sync.Mutex
	sessions map[string]*session // by tab
	watchers map[string]int      // by tab: live views that show it
	offered  map[string]bool     // downloads that the person can have
	folder   string              // where their files are; "" before the first
}

// New returns a Controller of no tab.
func New(c Config) *Controller {
	return &Controller{config: c, sessions: map[string]*session{}, watchers: map[string]int{},
		offered: map[string]bool{}}
}

// session is the person's control of one tab.
type session struct {
	browser *page.Browser
	tab     *page.Tab
	hand    *input.Hand
	opener  string // the tab that opened this one during its own control; "" for none
	since   time.Time
	before  map[string]bool // the tabs that were there
	commits int             // documents that had come
	after   int             // the last download before it
	release func()          // of the file choosers
	clean   sync.Once

	mu   sync.Mutex
	used time.Time
}

const (
	// lockLimit is how long Begin waits for a call that it has ended.
	lockLimit = 2 * time.Second
	// goneLimit is how long a tab stays the person's without a live view and without input.
	goneLimit = time.Minute
	// goneCheck is how often that is looked at.
	goneCheck = 5 * time.Second
)

// find returns a tab.
func find(b *page.Browser, id string) (*page.Tab, error) {
	for _, t := range b.Tabs() {
		if t.ID() == id {
			return t, nil
		}
	}
	return nil, fault.Fieldf("tab", "There is no tab %q.", id).WithHint("Choose one that is open.")
}

// Begin makes a tab the person's. It does nothing if the tab is theirs already.
func (c *Controller) Begin(ctx context.Context, b *page.Browser, id string) error {
	t, err := find(b, id)
	if err != nil {
		return err
	}
	c.begin(ctx, b, t, "")
	return nil
}

func (c *Controller) begin(ctx context.Context, b *page.Browser, t *page.Tab, opener string) {
	s := &session{
		browser: b, tab: t, hand: input.NewHand(t), opener: opener, since: time.Now().UTC(), used: time.Now(),
		before: map[string]bool{}, commits: t.Frames.Load().Commits, after: b.LastDownload(), release: func() {},
	}
	for _, other := range b.Tabs() {
		s.before[other.ID()] = true
	}
	c.mu.Lock()
	if c.sessions[t.ID()] != nil {
		c.mu.Unlock()
		return
	}
	c.sessions[t.ID()] = s
	c.mu.Unlock()

	t.Log.SetPrivate(true)
	ended, begun := c.config.Enforcer.BeginControl(t.ID(), c.config.Address(t.About().URL), s.count)
	if !begun {
		c.forget(s)
		return
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockLimit)
	defer cancel()
	if unlock, err := t.Lock(limited); err == nil {
		defer unlock()
	}
	s.release = t.Target.InterceptChooser(sessionsOf(t)...)
	t.Camera.SetPrivate(true)
	c.config.Log.Info("the person controls a tab")
	c.changed.Broadcast()
	go c.follow(s, ended)
}

func sessionsOf(t *page.Tab) (all []string) {
	for _, f := range t.Frames.All() {
		if f.Session != "" && !slices.Contains(all, f.Session) {
			all = append(all, f.Session)
		}
	}
	return all
}

// count returns what the person did so far. It is called with the enforcer's lock.
func (s *session) count() policy.ControlSummary {
	done := s.hand.Summary()
	return policy.ControlSummary{
		Clicks: done.Clicks, Keys: done.Keys, Pages: s.tab.Frames.Load().Commits - s.commits,
	}
}

func (s *session) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = time.Now()
}

func (s *session) idle() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.used)
}

// follow looks after a control until it has ended.
func (c *Controller) follow(s *session, ended <-chan struct{}) {
	check := time.NewTicker(goneCheck)
	defer check.Stop()
	intercepted := sessionsOf(s.tab)
	for {
		changed, inTab := s.browser.Changed(), s.tab.Target.Changed.Next()
		c.adopt(s)
		for _, one := range sessionsOf(s.tab) {
			if !slices.Contains(intercepted, one) { // a frame that came meanwhile
				intercepted = append(intercepted, one)
				s.tab.Target.Post(one, "Page.setInterceptFileChooserDialog", map[string]any{"enabled": true})
			}
		}
		c.changed.Broadcast()
		select {
		case <-ended:
			c.forget(s)
			return
		case <-s.tab.Target.Gone().Done():
			c.end(s, policy.TabClosed, "")
		case <-check.C:
			if s.idle() > goneLimit && !c.watched(s.tab.ID()) {
				c.end(s, policy.WindowGone, "")
			}
		case <-changed:
		case <-inTab:
		}
	}
}

// adopt takes the tabs that the person has opened from a tab of theirs.
func (c *Controller) adopt(s *session) {
	for _, t := range s.browser.Tabs() {
		if t.Opener() == s.tab.ID() && !s.before[t.ID()] {
			s.before[t.ID()] = true
			c.begin(context.Background(), s.browser, t, s.tab.ID())
		}
	}
}

// forget ends everything that a control has set up.
func (c *Controller) forget(s *session) {
	s.clean.Do(func() {
		s.release()
		s.tab.Camera.SetPrivate(false)
		s.tab.Log.SetPrivate(false)
		c.config.Forget(s.tab.ID())
		c.mu.Lock()
		if c.sessions[s.tab.ID()] == s {
			delete(c.sessions, s.tab.ID())
		}
		c.mu.Unlock()
		c.config.Log.Info("the person controls a tab no more")
		c.changed.Broadcast()
	})
}

// end gives a tab back, and the tabs that were opened from it. What was set up ends first: agents go on at once.
func (c *Controller) end(s *session, why policy.ControlEnd, note string) {
	c.mu.Lock()
	var opened []*session
	for _, other := range c.sessions {
		if other.opener == s.tab.ID() {
			opened = append(opened, other)
		}
	}
	c.mu.Unlock()
	for _, other := range opened {
		c.end(other, why, "")
	}
	c.forget(s)
	c.config.Enforcer.EndControl(s.tab.ID(), why, note)
}

func (c *Controller) session(tab string) (*session, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.sessions[tab]; s != nil {
		return s, nil
	}
	return nil, fault.New(fault.CodeNotControlled, "You are not in control of this tab.", "Take control first.")
}

// End hands a tab back to the agents, with a note for them.
func (c *Controller) End(tab, note string) error {
	s, err := c.session(tab)
	if err != nil {
		return err
	}
	c.end(s, policy.HandedBack, note)
	return nil
}

// Watch counts a live view that shows a tab, until stop.
func (c *Controller) Watch(tab string) (stop func()) {
	add := func(n int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.watchers[tab] += n; c.watchers[tab] == 0 {
			delete(c.watchers, tab)
		}
		if s := c.sessions[tab]; s != nil {
			s.touch()
		}
	}
	add(1)
	return sync.OnceFunc(func() { add(-1) })
}

func (c *Controller) watched(tab string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.watchers[tab] > 0
}

// Input sends what the person does to the page.
func (c *Controller) Input(ctx context.Context, tab string, picture int, events []input.Event) (input.Answer, error) {
	s, err := c.session(tab)
	if err != nil {
		return input.Answer{}, err
	}
	s.touch()
	answer, err := s.hand.Send(ctx, picture, events)
	s.touch()
	return answer, err
}

// Close removes the files of the person.
func (c *Controller) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.folder != "" {
		_ = os.RemoveAll(c.folder)
	}
}
