package extension

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

var messagePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`__MSG_([A-Za-z0-9_@]+)__`)
})

// localizer returns a function that replaces __MSG_name__ by the text that messages.json has for the name.
func localizer(raw []byte) func(string) string {
	var file map[string]struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal(withoutComments(raw), &file)
	texts := map[string]string{}
	for name, m := range file {
		texts[strings.ToLower(name)] = m.Message
	}
	return func(s string) string {
		return messagePattern().ReplaceAllStringFunc(s, func(ref string) string {
			name := messagePattern().FindStringSubmatch(ref)[1]
			if text, ok := texts[strings.ToLower(name)]; ok {
				return text
			}
			return name
		})
	}
}
