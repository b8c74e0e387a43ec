package sensitive

import (
	"regexp"
	"strings"
	"sync"
)

// patterns are the compiled patterns of names. They are compiled when the first name is judged.
var patterns = sync.OnceValue(func() []*regexp.Regexp {
	all := make([]*regexp.Regexp, 0, len(names))
	for _, n := range names {
		all = append(all, regexp.MustCompile(n.pattern))
	}
	return all
})

// Name returns the kind of what a form sends under a name.
func Name(name string) Kind {
	plain := strings.Map(func(r rune) rune {
		if (r >= 'a' && r <= 'z') || (r >= '0' && r <= '9') {
			return r
		}
		return -1
	}, strings.ToLower(name))
	if plain == "" {
		return None
	}

	for i, p := range patterns() {
		if p.MatchString(plain) {
			return names[i].kind
		}
	}
	return None
}
