package page

import (
	"context"
	"slices"

	"cove/internal/cdp"
	"cove/internal/page/target"
	"cove/internal/wording"
)

// Download is one download of the browser, under way or over.
type Download struct {
	ID    string
	Name  string
	URL   string
	State string // inProgress, completed, canceled
	Bytes int64
	Path  string

	seq int
}

// downloads has the last downloads of the browser. The browser's mu guards it.
type downloads struct {
	next int
	all  []*Download
}

const maxDownloads = 200

// downloadEvent records the beginning or the progress of a download.
func (b *Browser) downloadEvent(e cdp.Event) {
	p, ok := target.Decode[struct {
		GUID     string  `json:"guid"`
		URL      string  `json:"url"`
		Name     string  `json:"suggestedFilename"`
		State    string  `json:"state"`
		Received float64 `json:"receivedBytes"`
		Path     string  `json:"filePath"`
	}](e)
	if !ok {
		return
	}
	b.mu.Lock()
	d := &b.downloads
	i := slices.IndexFunc(d.all, func(x *Download) bool { return x.ID == p.GUID })
	switch {
	case e.Method == "Browser.downloadWillBegin" && i < 0:
		d.next++
		if len(d.all) >= maxDownloads {
			d.all = slices.Delete(d.all, 0, maxDownloads/4)
		}
		d.all = append(d.all, &Download{
			ID: p.GUID, Name: p.Name, URL: wording.Shorten(p.URL, 2000), State: "inProgress", seq: d.next})
	case i >= 0:
		x := d.all[i]
		x.State, x.Bytes = p.State, int64(p.Received)
		if p.Path != "" {
			x.Path = p.Path
		}
	}
	b.mu.Unlock()
	b.changed.Broadcast()
	for _, t := range b.Tabs() { // Tab.Settle looks at downloads too
		t.Target.Changed.Broadcast()
	}
}

// AllowDownloads sets whether pages may save files, in every context of the browser and at once. After an error nobody
// knows what the browser does: the caller should try again.
func (b *Browser) AllowDownloads(ctx context.Context, allowed bool) error {
	b.settingDownloads.Lock()
	b.mu.Lock()
	if b.denied == !allowed && !b.unsure {
		b.mu.Unlock()
		b.settingDownloads.Unlock()
		return nil
	}
	b.denied, b.unsure = !allowed, true
	contexts := b.everyContext()
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, target.CommandLimit)
	defer cancel()
	var pending []*cdp.Pending
	for _, id := range contexts {
		pending = append(pending, b.conn.Start("", "Browser.setDownloadBehavior", downloadBehavior(allowed, id)))
	}
	b.settingDownloads.Unlock()
	err := pending[0].Wait(ctx, nil)
	for _, p := range pending[1:] {
		_ = p.Wait(ctx, nil) // the context may be gone
	}
	if err == nil {
		err = context.Cause(ctx)
	}

	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil && b.denied == !allowed {
		b.unsure = false
	}
	return err
}

// RefuseDownloadsAgain repeats the refusal of downloads, if they are refused. When a program disconnects, the browser
// undoes the behaviour that the program has set, and does not restore the one before it. RefuseDownloadsAgain waits for
// no answer.
func (b *Browser) RefuseDownloadsAgain() {
	b.settingDownloads.Lock()
	defer b.settingDownloads.Unlock()
	b.mu.Lock()
	denied, contexts := b.denied, b.everyContext()
	b.mu.Unlock()
	if !denied {
		return
	}
	for _, id := range contexts {
		_ = b.conn.Post("", "Browser.setDownloadBehavior", downloadBehavior(false, id))
	}
}

// everyContext lists the browser's contexts. "" is the default context. The caller has locked mu.
func (b *Browser) everyContext() []string {
	contexts := []string{""}
	for id := range b.contexts {
		contexts = append(contexts, id)
	}
	return contexts
}

func downloadBehavior(allowed bool, browserContext string) object {
	params := object{"behavior": "default", "eventsEnabled": true}
	if !allowed {
		params["behavior"] = "deny"
	}
	if browserContext != "" {
		params["browserContextId"] = browserContext
	}
	return params
}

// addContext records the browser context of a tab. If downloads are refused, it refuses them in that context too,
// before anything is loaded there. The context of the profile's own tabs counts as any other.
func (b *Browser) addContext(id string) {
	b.mu.Lock()
	denied := b.denied && id != "" && !b.contexts[id]
	if id != "" {
		b.contexts[id] = true
	}
	b.mu.Unlock()
	if !denied {
		return
	}

	_ = b.conn.Post("", "Browser.setDownloadBehavior", downloadBehavior(false, id))
}

// Downloads lists the downloads that began after the download with the number after.
func (b *Browser) Downloads(after int) []Download {
	b.mu.Lock()
	defer b.mu.Unlock()
	var found []Download
	for _, d := range b.downloads.all {
		if d.seq > after {
			found = append(found, *d)
		}
	}
	return found
}

// LastDownload returns the number of the download that began last.
func (b *Browser) LastDownload() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.downloads.next
}

// AwaitDownload waits for a download that began after the download with the number after, and that was not refused.
func (b *Browser) AwaitDownload(ctx context.Context, after int) error {
	return b.until(ctx, func() bool {
		return slices.ContainsFunc(b.Downloads(after), func(d Download) bool {
			return d.State == "completed" || d.Bytes > 0
		})
	})
}

// AwaitDownloads waits until no download is under way.
func (b *Browser) AwaitDownloads(ctx context.Context) error {
	return b.until(ctx, func() bool {
		return !slices.ContainsFunc(b.Downloads(0), func(d Download) bool { return d.State == "inProgress" })
	})
}
