package kubernetes

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
)

//go:embed container-name.md
var containerNameDoc string

// ContainerName finds pod templates that miss Flink's container by a name.
var ContainerName = &advisor.Rule{
	ID:         "kubernetes/container-name",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Likely,
	Doc:        containerNameDoc,
	Check:      containerName,
}

const mainContainer = "flink-main-container"

func containerName(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil {
		return
	}
	for _, p := range podTemplates(m) {
		if p.template == nil || p.template.MainContainer() != nil {
			continue
		}
		for _, c := range p.template.Containers {
			if !c.Name.Known || !meantAsMain(c) {
				continue
			}
			r.Find(advisor.Finding{
				Message: fmt.Sprintf("container %s is not Flink's: what it sets goes to a second container", c.Name.V),
				Labels:  []advisor.Label{{Span: c.Name.Span, Key: p.field, Text: "started beside Flink"}},
				Help:    "call it " + mainContainer,
				Edits:   []advisor.Edit{{Span: c.Name.Span, New: mainContainer}},
			})
			break
		}
	}
}

// A template is a pod template with its place in the spec.
type template struct {
	field    string
	template *carrier.PodTemplate
}

func podTemplates(m *carrier.Manifest) []template {
	return []template{{"spec.podTemplate", m.PodTemplate}, {"spec.jobManager.podTemplate", m.JobManager.PodTemplate}, {"spec.taskManager.podTemplate", m.TaskManager.PodTemplate}}
}

// meantAsMain tells a container that was meant as Flink's: it is called so, or it is nearly called so. A sidecar has an image of its own.
func meantAsMain(c carrier.Container) bool {
	name := strings.ToLower(c.Name.V)
	if levenshtein.ComputeDistance(name, mainContainer) <= maxNameTypo {
		return true
	}
	return !c.Image.Known && slices.Contains([]string{"flink", "main", "flink-main", "main-container", "flink-container", "jobmanager", "taskmanager", "job-manager",
		"task-manager", "flink-jobmanager", "flink-taskmanager"}, name)
}

// maxNameTypo is how many characters a name may be off: two slips of the finger, in a name of twenty.
const maxNameTypo = 2
