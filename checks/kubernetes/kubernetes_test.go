package kubernetes

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
)

func TestRules(t *testing.T) {
	for _, rule := range []*advisor.Rule{
		InvalidName,
		FlinkVersion,
		DeprecatedVersion,
		ImageVersion,
		ForbiddenKey,
		OverriddenOption,
		CheckpointDirectoryMissing,
		SavepointDirectoryMissing,
		LastStateWithoutHA,
		RefusedFeature,
		IngressTemplate,
		LogConfiguration,
		NoParallelism,
		ParallelismIgnored,
		MemoryMissing,
		MemoryUnreadable,
		RefusedResources,
		ServiceAccountMissing,
		AutoscalerRefused,
		AutoscalerUnsupported,
		SessionJobIncomplete,
		JarURI,
		SessionJobOption,
		UnknownField,
		FieldType,
		ContainerName,
		PodTemplateResources,
		SavepointPathMissing,
		FlinkPropertiesIgnored,
		Suspended,
	} {
		checktest.Run(t, rule)
	}
}
