package page

import (
	"context"
	"slices"

	"cove/internal/cdp"
)

// Download is a file that a page has sent.
type Download struct {
	ID    string
	Name  string
	URL   string
	State string // inProgress, completed, canceled
	Bytes int64
	Path  string

	seq int
}

// downloads keeps the last ones of the browser. Its mu guards it.
type downloads struct {
	next int
	all  []*Download
}

const maxDownloads = 200

func (b *Browser) downloadEvent(e cdp.Event) {
	p, ok := decode[struct {
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
		d.all = append(d.all, &Download{ID: p.GUID, Name: p.Name, URL: short(p.URL, 2000), State: "inProgress", seq: d.next})
	case i >= 0:
		x := d.all[i]
		x.State, x.Bytes = p.State, int64(p.Received)
		if p.Path != "" {
			x.Path = p.Path
		}
	}
	b.mu.Unlock()
	b.changed.broadcast()
	for _, t := range b.Tabs() { // whoever settles there looks at downloads too
		t.changed.broadcast()
	}
}

// Downloads lists the downloads that began after the one with number after.
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

func (b *Browser) lastDownload() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.downloads.next
}

// AwaitDownloads waits until no download is under way.
func (b *Browser) AwaitDownloads(ctx context.Context) error {
	for {
		next := b.changed.wait()
		if !slices.ContainsFunc(b.Downloads(0), func(d Download) bool { return d.State == "inProgress" }) {
			return nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
