package dom

import (
	"context"
	"encoding/json"

	"cove/internal/snapshot/document"
)

// VersionOf returns the version of the page that Snapshot has read, or "" when the snapshot lacks a frame.
func (f *Frames) VersionOf(root *document.Doc) string {
	parts := map[string]int{}
	var add func(d *document.Doc)
	add = func(d *document.Doc) {
		parts[d.Label] = int(d.Version)
		for _, inner := range d.Frames {
			add(inner)
		}
	}
	add(root)
	if len(parts) != f.Len() {
		return ""
	}
	return versions(parts)
}

// Version returns a text that stays the same as long as the page has not changed. It returns "" when it cannot know.
func (f *Frames) Version(ctx context.Context) (string, error) {
	ids, ok := f.entered()
	if !ok {
		return "", nil // nobody has looked into one of the frames
	}

	parts := map[string]int{}
	for _, id := range ids {
		w, err := f.Enter(ctx, id)
		if err != nil {
			return "", err
		}
		var v int
		if err := f.Run(ctx, w, &v, "function(){return cove.version()}"); err != nil {
			return "", err
		}
		parts[w.Document.Label] = v
	}
	return versions(parts), nil
}

// entered lists all frames. all is false, and ids is nil, when a frame has not been entered yet.
func (t *tree) entered() (ids []string, all bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, one := range t.byID {
		if one.document == nil {
			return nil, false
		}
		ids = append(ids, id)
	}
	return ids, true
}

// versions returns one text for the versions of all documents, by their labels.
func versions(parts map[string]int) string {
	raw, _ := json.Marshal(parts) // its keys are sorted
	return string(raw)
}
