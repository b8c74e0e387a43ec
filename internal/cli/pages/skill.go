package pages

import (
	"fmt"
	"os"
	"time"

	"cove/internal/clients"
)

// noticeInterval is how often an agent hears that its skill is old.
const noticeInterval = 24 * time.Hour

// warnOldSkill says on standard error, once a day, that an installed skill is older than this program.
func (r *runner) warnOldSkill(dir string) {
	home, err := r.env.HomeDir()
	if err != nil {
		return
	}
	if told, err := os.Stat(home.SkillNotice()); err == nil && time.Since(told.ModTime()) < noticeInterval {
		return
	}
	here, err := clients.Here(dir)
	if err != nil {
		return
	}
	file, command := clients.OlderSkill(here)
	if file == "" {
		return
	}
	if os.WriteFile(home.SkillNotice(), nil, 0o600) != nil {
		return // it would say so every time
	}
	fmt.Fprintln(r.env.Err, "cove: "+r.env.Advice("The skill "+file+" is older than this Cove. Update it: "+command))
}
