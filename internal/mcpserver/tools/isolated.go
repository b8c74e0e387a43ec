package tools

import (
	"context"
	"sync"

	"cove/internal/fault"
	"cove/internal/page"
)

// isolatedContexts are the browser contexts that one agent has made, each with a set of cookies and storage of its own.
type isolatedContexts struct {
	mu    sync.Mutex
	names map[string]string // by the browser's id
}

func (cs *isolatedContexts) name(id string) string {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.names[id]
}

func (cs *isolatedContexts) find(name string) (id string, ok bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for id, known := range cs.names {
		if known == name {
			return id, true
		}
	}
	return "", false
}

// get returns the browser's id of the context that the agent calls by this name. It makes a new one when there is none.
func (cs *isolatedContexts) get(ctx context.Context, b *page.Browser, name string) (string, error) {
	if id, ok := cs.find(name); ok {
		return id, nil
	}
	for _, r := range name {
		if r < '!' || r > '~' {
			return "", fault.Invalidf("The name of an isolated context has letters and digits only.")
		}
	}

	id, err := b.NewContext(ctx)
	if err != nil {
		return "", err
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.names == nil {
		cs.names = map[string]string{}
	}
	cs.names[id] = name
	return id, nil
}
