{{- define "tieline.name" -}}
{{ .Release.Name }}-tieline
{{- end -}}

{{- define "tieline.labels" -}}
app.kubernetes.io/name: tieline
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "tieline.selector" -}}
app.kubernetes.io/name: tieline
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tieline.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "tieline.secretName" -}}
{{ .Values.existingSecret | default (include "tieline.name" .) }}
{{- end -}}

{{- define "tieline.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "tieline.name" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end -}}

{{/* What the pods of every program have in common. */}}
{{- define "tieline.pod" -}}
automountServiceAccountToken: false
{{- if .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range .Values.image.pullSecrets }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: tmp
    emptyDir: {}
  - name: data
    {{- if eq .Values.storage.driver "local" }}
    persistentVolumeClaim:
      claimName: {{ .Values.storage.local.existingClaim | quote }}
    {{- else }}
    emptyDir: {}
    {{- end }}
{{- end -}}

{{- define "tieline.container" -}}
image: {{ include "tieline.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /data
{{- end -}}

{{/* Settings of every program. OPERATOR_TOKEN is for the api alone. */}}
{{- define "tieline.env" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "tieline.secretName" . | quote }}
      key: DATABASE_URL
- name: SECRET_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "tieline.secretName" . | quote }}
      key: SECRET_KEY
{{- range list "REDIS_URL" "SECRET_KEYS_OLD" "S3_ACCESS_KEY_ID" "S3_SECRET_ACCESS_KEY" }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ include "tieline.secretName" $ | quote }}
      key: {{ . }}
      optional: true
{{- end }}
- name: PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
- name: STORAGE_DRIVER
  value: {{ .Values.storage.driver | quote }}
{{- if eq .Values.storage.driver "s3" }}
- name: S3_ENDPOINT
  value: {{ .Values.storage.s3.endpoint | quote }}
- name: S3_REGION
  value: {{ .Values.storage.s3.region | quote }}
- name: S3_BUCKET
  value: {{ .Values.storage.s3.bucket | quote }}
- name: S3_FORCE_PATH_STYLE
  value: {{ .Values.storage.s3.forcePathStyle | quote }}
{{- end }}
{{- if .Values.tracing.endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ .Values.tracing.endpoint | quote }}
- name: OTEL_TRACES_SAMPLER
  value: {{ .Values.tracing.sampler | quote }}
- name: OTEL_TRACES_SAMPLER_ARG
  value: {{ .Values.tracing.ratio | quote }}
{{- end }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}
