package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/capture"
	"cove/internal/policy"
	"cove/internal/snapshot"
)

type snapshotInput struct {
	onPage
	Verbose         bool    `json:"verbose,omitempty" say:"every node with its uid and description, no tables"`
	FilePath        string  `json:"filePath,omitempty"`
	UID             string  `json:"uid,omitempty" say:"only below this element"`
	Query           string  `json:"query,omitempty" say:"only what holds these words or roles"`
	InteractiveOnly bool    `json:"interactiveOnly,omitempty"`
	Since           *number `json:"since,omitempty" say:"number of a snapshot: only what changed"`
	MaxTokens       *number `json:"maxTokens,omitempty" say:"20000 without it"`

	// again: the agent has not asked for all of the page, so that what changed since it last saw it will do.
	again bool
}

var takeSnapshot = define("take_snapshot", "Read the page as text. Elements to act on have a uid. Prefer it to a screenshot.",
	func(ctx context.Context, c *call, in snapshotInput) error {
		t, unlock, err := c.acting(ctx, in.onPage)
		if err != nil {
			return err
		}
		defer unlock()
		return c.snapshot(ctx, t, in)
	}).reads()

// snapshot adds what the page shows.
func (c *call) snapshot(ctx context.Context, t *page.Tab, in snapshotInput) error {
	var since *snapshot.Index
	partly := false // what it is compared with was only a part
	if in.Since != nil {
		p, ok := c.client.picture(int(*in.Since))
		if !ok || p.tab != t {
			return fault.New(fault.NotFound, "E_SNAPSHOT", fmt.Sprintf("There is no snapshot %d of this page to compare with.", int(*in.Since)), "Leave since out.")
		}
		if v, err := t.Frames.Version(ctx); err == nil && v != "" && v == p.version {
			c.say("Nothing changed since snapshot %d.", int(*in.Since))
			return nil
		}
		since, partly = p.shown, !p.whole
	} else if in.again {
		since = c.client.lastSeen(t)
	}
	look := t.Frames.Snapshot
	if in.Query != "" || in.UID != "" {
		look = t.Frames.SnapshotAll
	}
	root, err := look(ctx)
	if err != nil {
		return err
	}
	version := t.Frames.VersionOf(root)
	number := c.client.nextSnapshot()
	o := snapshot.Options{Number: number, UID: in.UID, Interactive: in.InteractiveOnly, Query: in.Query, Since: since, Shorter: in.again, Verbose: in.Verbose}
	if in.MaxTokens != nil {
		o.MaxTokens = int(*in.MaxTokens)
	}
	text, shown, err := snapshot.Render(root, o)
	if errors.Is(err, snapshot.ErrNotFound) {
		return fault.New(fault.NotFound, "E_UID", fmt.Sprintf("The element with uid %s is not on the page.", urlText(in.UID)), "Take a snapshot without uid.")
	}
	if err != nil {
		return fault.Invalidf("%s.", capital(err.Error()))
	}
	t.Frames.Remember(shown)
	whole := in.UID == "" && in.Query == "" && !in.InteractiveOnly && in.FilePath == "" && in.MaxTokens == nil && !partly
	c.client.keep(number, picture{t, version, shown, whole})
	if in.FilePath != "" {
		full, err := c.save(ctx, in.FilePath, []byte(text))
		if err != nil {
			return err
		}
		c.say("Saved snapshot to %s.", full)
		return nil
	}
	c.say("## Latest page snapshot")
	c.show(text)
	return nil
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

type screenshotInput struct {
	onPage
	Format   string  `json:"format,omitempty" enum:"png|jpeg|webp"`
	Quality  *number `json:"quality,omitempty"`
	UID      string  `json:"uid,omitempty" say:"only this element"`
	FullPage bool    `json:"fullPage,omitempty"`
	FilePath string  `json:"filePath,omitempty"`
}

// largeImage is more than is worth sending to a model as PNG.
const largeImage = 1 << 20

var takeScreenshot = define("take_screenshot", "Take a picture of the page or of an element.",
	func(ctx context.Context, c *call, in screenshotInput) error {
		if in.UID != "" && in.FullPage {
			return fault.Invalidf("Give uid or fullPage, not both.")
		}
		t, unlock, err := c.acting(ctx, in.onPage)
		if err != nil {
			return err
		}
		defer unlock()
		shot := capture.Shot{Format: in.Format, Full: in.FullPage, UID: in.UID, Fit: in.FilePath == "", Dense: in.Format == "" && in.FilePath == "",
			Still: c.server.Enforcer.Rules().Right(policy.Act) != policy.Yes}
		if shot.Format == "" {
			shot.Format = "png"
		}
		if in.Quality != nil {
			if *in.Quality < 0 || *in.Quality > 100 {
				return fault.Invalidf("Invalid arguments for tool take_screenshot: quality is 0 to 100.")
			}
			shot.Quality = max(int(*in.Quality), 1)
		}
		p, err := t.Camera.Screenshot(ctx, shot)
		if err == nil && shot.Dense && len(p.Data) > largeImage && p.MIME == "image/png" {
			shot.Format, shot.Quality = "jpeg", 80
			p, err = t.Camera.Screenshot(ctx, shot)
		}
		if err != nil {
			return err
		}
		switch {
		case in.UID != "":
			c.say("Took a screenshot of the element with uid %s.", urlText(in.UID))
		case in.FullPage:
			c.say("Took a screenshot of the full current page.")
		default:
			c.say("Took a screenshot of the current page's viewport.")
		}
		if in.FilePath != "" {
			full, err := c.save(ctx, in.FilePath, p.Data)
			if err != nil {
				return err
			}
			c.say("Saved screenshot to %s.", full)
			return nil
		}
		if p.Scale < 1 {
			c.say("It is scaled to %.0f %%.", p.Scale*100)
		}
		if p.Cut > 0 {
			c.say("The lowest %d pixels of the page are left out; give filePath for all of it.", p.Cut)
		}
		c.image = &p
		return nil
	}).reads()

type waitInput struct {
	onPage
	Text    []string `json:"text" say:"any of these"`
	Timeout *number  `json:"timeout,omitempty" say:"ms"`
}

// defaultWait is how long wait_for waits when nobody says.
const defaultWait = 30 * time.Second

var waitFor = define("wait_for", "Wait until a text is on the page.",
	func(ctx context.Context, c *call, in waitInput) error {
		if len(in.Text) == 0 {
			return fault.Invalidf("Invalid arguments for tool wait_for: text is empty.")
		}
		t, err := c.tab(ctx, in.onPage)
		if err != nil {
			return err
		}
		limit := defaultWait
		if in.Timeout != nil && *in.Timeout > 0 {
			limit = limitOf(in.Timeout)
		}
		late := fault.New(fault.Unavailable, "E_TIMEOUT", fmt.Sprintf("Timed out after waiting %d ms.", limit.Milliseconds()), "Take a snapshot to see what is there.")
		waiting, cancel := context.WithTimeoutCause(ctx, limit, late)
		defer cancel()
		c.tell(ctx, 0, 1, "Waiting for the text")
		at, err := t.Frames.AwaitText(waiting, in.Text)
		if err != nil {
			return err
		}
		c.say("Found %s on the page.", quoted(clip(in.Text[at], 200)))
		unlock, err := t.Lock(ctx)
		if err != nil {
			return err
		}
		defer unlock()
		return c.snapshot(ctx, t, snapshotInput{again: true})
	}).reads()
