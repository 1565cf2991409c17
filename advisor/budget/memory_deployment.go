package budget

import (
	"fmt"
	"math"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// deploymentCPU is the deployment's own CPU option, which counts where taskmanager.cpu.cores is not set and the value is above 0
// (KubernetesWorkerResourceSpecFactory, YarnWorkerResourceSpecFactory).
func (d *taskManager) deploymentCPU() float64 {
	switch d.deployment {
	case Kubernetes:
		n, _ := number(d.memory, d.conf.Double("kubernetes.taskmanager.cpu.amount"))
		return n
	case YARN:
		n, _ := number(d.memory, d.conf.Int("yarn.containers.vcores"))
		return float64(n)
	}
	return 0
}

// container is what the ResourceManager asks for to run a TaskManager.
func (d *taskManager) container(t *TaskManager) Container {
	switch d.deployment {
	case Kubernetes:
		return d.pod("kubernetes.taskmanager", t.ProcessSize.Bytes, t.CPU)
	case YARN:
		// YarnWorkerResourceSpecFactory and TaskExecutorProcessSpecContainerResourcePriorityAdapter: vcores are rounded up.
		cores := max(math.Ceil(t.CPU), 1)
		size := t.ProcessSize.Bytes / quantity.MiB * quantity.MiB
		return Container{Known: true, Memory: size, MemoryLimit: size, CPU: cores, CPULimit: cores}
	}
	return Container{}
}

// pod is KubernetesUtils.getResourceRequirements: the request in whole MiB, the limit by a factor (1.15 and newer).
func (m *memory) pod(prefix string, process quantity.Bytes, cpu float64) Container {
	mebibytes := process.Mebibytes()
	c := Container{
		Known: true, Memory: quantity.Bytes(mebibytes) * quantity.MiB, MemoryLimit: quantity.Bytes(mebibytes) * quantity.MiB,
		CPU: cpu, CPULimit: cpu,
	}
	if m.version.Before(1, 15) {
		return c
	}
	if f, ok := m.limitFactor(prefix + ".memory.limit-factor"); ok {
		c.MemoryLimit = quantity.Bytes(float64(mebibytes)*f) * quantity.MiB
	}
	if f, ok := m.limitFactor(prefix + ".cpu.limit-factor"); ok {
		c.CPULimit = cpu * f
	}
	return c
}

// limitFactor reads a limit factor, which must be 1 or more (K1).
func (m *memory) limitFactor(key string) (float64, bool) {
	v := m.conf.Double(key)
	f, known := number(m, v)
	if !known || f >= 1 {
		return f, known
	}
	m.refuse(Refusal{
		ID: "K1", Keys: []string{key}, Spans: spans(v.Span()),
		Message: fmt.Sprintf("%s is %s; the limit of a pod cannot be below its request", key, quantity.FormatDouble(f)),
		Flink:   fmt.Sprintf("'%s' should be greater or equal to 1.", key),
		Terms:   []Term{{Name: key, Value: f, Unit: Fraction, Origin: conf.Given, From: v.From(), Span: v.Span()}},
	})
	return 0, false
}
