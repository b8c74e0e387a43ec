package storage

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/jar"
	"cove/internal/mcpserver"
	"cove/internal/mcpserver/redaction"
	"cove/internal/policy"
	"cove/internal/wording"
)

// SaveStateTool returns the tool save_storage_state.
func SaveStateTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "save_storage_state", Group: "storage", ReadOnly: true,
		Text:  "Save the cookies and local storage of the page's site as Playwright's storageState.",
		Needs: []mcpserver.Need{{Class: policy.Storage, What: describeSave}},
	}, saveState)
}

func describeSave(raw json.RawMessage) string {
	return "save the cookies and stored data of the page's site into the file " + fileOf(raw)
}

// LoadStateTool returns the tool load_storage_state.
func LoadStateTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "load_storage_state", Group: "storage",
		Text:  "Set cookies and local storage of the page's site from a storageState file.",
		Needs: []mcpserver.Need{{Class: policy.Storage, What: describeLoad}},
	}, loadState)
}

func describeLoad(raw json.RawMessage) string {
	return "set the cookies and stored data of the page's site from the file " + fileOf(raw)
}

func fileOf(raw json.RawMessage) string {
	var in stateInput
	_ = json.Unmarshal(raw, &in)
	return wording.Shorten(redaction.URLText(in.FilePath), 200)
}

type stateInput struct {
	mcpserver.OnPage
	FilePath string `json:"filePath"`
}

func saveState(ctx context.Context, c *mcpserver.Call, in stateInput) error {
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()
	s, err := siteOf(t)
	if err != nil {
		return err
	}
	cookies, err := s.cookies(ctx)
	if err != nil {
		return err
	}
	stored, err := t.LocalStorage(ctx)
	if err != nil {
		return err
	}
	origins := []cookie.Origin{}
	if len(stored.Items) > 0 {
		origins = append(origins, stored)
	}

	raw, err := cookie.Write(cookie.StorageState, cookies, origins)
	if err != nil {
		return err
	}
	full, err := c.Files.Save(ctx, in.FilePath, raw)
	if err != nil {
		return err
	}
	c.Record.SetCount(len(cookies))
	c.SaySaved(counts(len(cookies), len(stored.Items))+" saved to", full)
	return nil
}

func counts(cookies, entries int) string {
	return wording.Count(cookies, "cookie") + " and " + wording.Count(entries, "entry") + " of local storage"
}

// maxState is the largest file that is read.
const maxState = 10 << 20

func loadState(ctx context.Context, c *mcpserver.Call, in stateInput) error {
	raw, err := c.Files.Load(ctx, in.FilePath)
	if err != nil {
		return err
	}
	if len(raw) > maxState {
		return fault.Invalidf("The file is larger than 10 MB.")
	}
	set, err := cookie.Read(raw, cookie.Options{Now: time.Now()})
	if err != nil {
		return err
	}
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()
	s, err := siteOf(t)
	if err != nil {
		return err
	}

	// What belongs to other sites stays out: the right was given for this one, and rules may refuse others.
	read := len(set.Cookies)
	cookies := slices.DeleteFunc(set.Cookies, func(c cookie.Cookie) bool { return !s.gets(c) })
	stored := cookie.Origin{Origin: s.origin}
	otherOrigins := 0
	for _, o := range set.Origins {
		if o.Origin == s.origin {
			stored.Items = append(stored.Items, o.Items...)
		} else {
			otherOrigins++
		}
	}
	if err := (jar.Jar{Browser: s}).SetCookies(ctx, cookies); err != nil {
		return err
	}
	if len(stored.Items) > 0 {
		if err := t.AddLocalStorage(ctx, stored); err != nil {
			return err
		}
	}

	c.Record.SetCount(len(cookies))
	c.Say("%s set. Load the page again to use them.", counts(len(cookies), len(stored.Items)))
	if others := read - len(cookies); others+otherOrigins > 0 {
		c.Say("Left out, because they belong to other sites: %s and the local storage of %s.",
			wording.Count(others, "cookie"), wording.Count(otherOrigins, "origin"))
	}
	return nil
}
