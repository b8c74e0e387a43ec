package tools

import (
	"context"
	"errors"
	"fmt"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/snapshot"
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/index"
	"cove/internal/wording"
)

func snapshotTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name:     "take_snapshot",
		Text:     "Read the page as text. Elements to act on have a uid. Prefer it to a screenshot.",
		ReadOnly: true,
	}, readSnapshot)
}

type snapshotInput struct {
	mcpserver.OnPage
	Verbose         bool    `json:"verbose,omitempty" say:"every node with uid and description, no tables"`
	FilePath        string  `json:"filePath,omitempty"`
	UID             string  `json:"uid,omitempty" say:"only below this element"`
	Query           string  `json:"query,omitempty" say:"only what holds these words or roles"`
	InteractiveOnly bool    `json:"interactiveOnly,omitempty"`
	Since           *number `json:"since,omitempty" say:"number of a snapshot: only what changed"`
	MaxTokens       *number `json:"maxTokens,omitempty" say:"20000 without it"`

	// again says that the agent has not asked for all of the page: the changes since it last saw the page are enough.
	again bool
}

// isWhole reports whether the agent asks for all of the page.
func (in snapshotInput) isWhole() bool {
	return in.UID == "" && in.Query == "" && !in.InteractiveOnly && in.FilePath == "" && in.MaxTokens == nil
}

func readSnapshot(ctx context.Context, c *mcpserver.Call, in snapshotInput) error {
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()
	return addSnapshot(ctx, c, t, in)
}

// addSnapshot adds what the page shows to the result.
func addSnapshot(ctx context.Context, c *mcpserver.Call, t *page.Tab, in snapshotInput) error {
	seen := mcpserver.ClientState[seenSnapshots](c)
	var before seenSnapshot // what it is compared with
	if in.Since != nil {
		var err error
		if before, err = seen.get(t, int(*in.Since)); err != nil {
			return err
		}
		if v, err := t.Frames.Version(ctx); err == nil && v != "" && v == before.version {
			c.Say("Nothing changed since snapshot %d.", before.number)
			return nil
		}
	} else if in.again {
		before = seen.lastWhole(t)
	}

	look := t.Frames.Snapshot
	if in.Query != "" || in.UID != "" || in.MaxTokens != nil && *in.MaxTokens > snapshot.DefaultTokens {
		look = t.Frames.SnapshotAll
	}
	root, err := look(ctx)
	if err != nil {
		return err
	}
	version := t.Frames.VersionOf(root)
	number := seen.nextNumber()
	text, shown, err := render(root, number, before, in)
	if err != nil {
		return err
	}
	t.Frames.Remember(shown)
	if !in.again {
		c.Record.SetCount(shown.Len())
	}
	partly := in.Since != nil && !before.whole // it is compared with a part of the page
	seen.add(number, seenSnapshot{number, t, version, shown, in.isWhole() && !partly})

	if in.FilePath != "" {
		full, err := c.Files.Save(ctx, in.FilePath, []byte(text))
		if err != nil {
			return err
		}
		c.SaySaved("Saved snapshot to", full)
		return nil
	}
	c.Head("## Latest page snapshot")
	c.ShowSnapshot(number, text)
	return nil
}

func render(
	root *document.Doc, number int, before seenSnapshot, in snapshotInput,
) (string, *index.Index, error) {
	o := snapshot.Options{
		Number: number, UID: in.UID, Interactive: in.InteractiveOnly, Query: in.Query, Since: before.shown,
		Shorter: in.again, Verbose: in.Verbose}
	if in.MaxTokens != nil {
		o.MaxTokens = int(*in.MaxTokens)
	}

	text, shown, err := snapshot.Render(root, o)
	if errors.Is(err, snapshot.ErrNotFound) {
		return "", nil, fault.Quote(fault.CodeUID,
			fmt.Sprintf("The element with uid %s is not on the page.", redaction.URLText(in.UID)),
			"Take a snapshot without uid.")
	}
	if err != nil {
		return "", nil, fault.Invalidf("%s.", wording.Capitalize(err.Error()))
	}
	return text, shown, nil
}
