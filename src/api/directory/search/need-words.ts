// Over 300 lines: a table of words, with one row for each need.
/** Phrases for one need. Whoever searches for one of them finds what is written with another. */
export interface NeedWords {
  readonly en: readonly string[];
  readonly es: readonly string[];
}

const need = (en: readonly string[], es: readonly string[]): NeedWords => ({ en, es });

/**
 * What people call what they need, in English and Spanish. A phrase has one to three words. Plurals, accents and case do
 * not matter. Only phrases that may stand for one another are in a row: a narrower need has a row of its own.
 */
export const needWords: readonly NeedWords[] = [
  // Food
  need(
    ['food', 'groceries', 'grocery', 'meals', 'hungry', 'hunger'],
    ['comida', 'alimentos', 'alimentación', 'víveres', 'hambre', 'comestibles'],
  ),
  need(
    ['food pantry', 'food bank', 'pantry', 'foodbank', 'food shelf', 'free food', 'free groceries'],
    [
      'despensa de alimentos',
      'banco de alimentos',
      'banco de comida',
      'despensa',
      'comida gratis',
      'comida gratuita',
    ],
  ),
  need(
    ['soup kitchen', 'hot meal', 'community meal', 'congregate meal', 'free meal'],
    ['comedor comunitario', 'comedor social', 'comida caliente', 'comedor'],
  ),
  need(
    ['home delivered meal', 'meals on wheels', 'meal delivery'],
    ['comida a domicilio', 'comidas a domicilio'],
  ),
  need(
    ['food stamps', 'snap', 'ebt', 'supplemental nutrition assistance'],
    ['estampillas', 'cupones de alimentos', 'cupones de comida', 'estampillas de comida'],
  ),
  need(['wic', 'women infants children'], ['wic', 'mujeres infantes niños']),
  need(
    ['baby formula', 'infant formula', 'formula'],
    ['fórmula para bebé', 'fórmula infantil', 'leche para bebé'],
  ),
  need(
    ['school lunch', 'summer meal', 'school meal'],
    ['almuerzo escolar', 'comida escolar', 'comidas de verano'],
  ),
  need(
    ['nutrition', 'dietitian', 'healthy eating'],
    ['nutrición', 'nutricionista', 'alimentación saludable'],
  ),
  need(
    ['vegetables', 'produce', 'fruit', 'farmers market'],
    ['verduras', 'vegetales', 'frutas', 'mercado de agricultores'],
  ),
  need(['community garden', 'gardening'], ['huerto comunitario', 'jardín comunitario']),
  need(['water', 'drinking water'], ['agua', 'agua potable']),
  // Housing
  need(['housing', 'apartment', 'place to live'], ['vivienda', 'apartamento', 'casa', 'alojamiento']),
  need(
    ['affordable housing', 'low income housing', 'low cost housing', 'subsidized housing'],
    ['vivienda asequible', 'vivienda económica', 'vivienda subsidiada', 'vivienda de bajo costo'],
  ),
  need(
    ['section 8', 'housing voucher', 'housing choice voucher'],
    ['sección 8', 'vale de vivienda', 'cupón de vivienda'],
  ),
  need(['public housing', 'housing authority'], ['vivienda pública', 'autoridad de vivienda']),
  need(
    ['shelter', 'emergency shelter', 'homeless shelter', 'place to sleep', 'overnight shelter'],
    ['refugio', 'albergue', 'refugio de emergencia', 'lugar para dormir'],
  ),
  need(
    ['homeless', 'homelessness', 'unhoused', 'living in car'],
    ['sin hogar', 'desamparado', 'indigente', 'personas sin techo'],
  ),
  need(['transitional housing', 'transitional living'], ['vivienda transitoria', 'vivienda de transición']),
  need(['supportive housing', 'supported housing'], ['vivienda con apoyo', 'vivienda de apoyo']),
  need(['rapid rehousing', 'rehousing'], ['realojamiento', 'reubicación rápida']),
  need(
    [
      'rent',
      'rental',
      'rent assistance',
      'rental assistance',
      'rent payment',
      'rent help',
      'paying rent',
      'pay rent',
    ],
    [
      'renta',
      'alquiler',
      'ayuda con la renta',
      'asistencia de renta',
      'pagar la renta',
      'ayuda para alquiler',
    ],
  ),
  need(
    ['eviction', 'evicted', 'eviction prevention', 'eviction notice'],
    ['desalojo', 'desahucio', 'prevención de desalojo'],
  ),
  need(
    ['landlord', 'tenant', 'tenant rights', 'landlord tenant'],
    ['inquilino', 'arrendador', 'casero', 'derechos del inquilino'],
  ),
  need(['mortgage', 'mortgage payment', 'mortgage assistance'], ['hipoteca', 'ayuda con la hipoteca']),
  need(['foreclosure', 'foreclosure prevention'], ['ejecución hipotecaria', 'embargo de vivienda']),
  need(
    ['home repair', 'house repair', 'home rehabilitation', 'weatherization'],
    ['reparación de vivienda', 'reparación del hogar', 'reparaciones de casa', 'climatización'],
  ),
  need(
    ['home buyer', 'homebuyer', 'first time homebuyer', 'down payment', 'homeownership'],
    ['comprador de vivienda', 'comprar casa', 'pago inicial'],
  ),
  need(['security deposit', 'move in cost'], ['depósito de seguridad', 'depósito de alquiler']),
  need(['moving', 'relocation'], ['mudanza', 'reubicación']),
  need(
    ['roommate', 'home sharing', 'room for rent'],
    ['compañero de cuarto', 'compartir vivienda', 'cuarto en renta'],
  ),
  need(['housing discrimination', 'fair housing'], ['discriminación de vivienda', 'vivienda justa']),
  need(['group home', 'residential care', 'adult foster home'], ['hogar grupal', 'casa hogar']),
  need(['assisted living', 'adult family home'], ['vivienda asistida', 'residencia asistida']),
  need(['nursing home', 'skilled nursing'], ['asilo', 'hogar de ancianos', 'residencia de ancianos']),
  need(['shower', 'showers', 'hygiene'], ['ducha', 'duchas', 'baño', 'higiene']),
  need(['laundry', 'laundromat', 'wash clothes'], ['lavandería', 'lavar ropa']),
  need(['storage', 'locker'], ['almacenamiento', 'casillero']),
  need(['mailing address', 'mail service'], ['dirección postal', 'servicio de correo']),
  need(
    ['cooling center', 'air conditioning', 'fan'],
    ['centro de enfriamiento', 'aire acondicionado', 'ventilador'],
  ),
  need(['warming center', 'heating', 'heat'], ['centro de calentamiento', 'calefacción']),
  // Money and goods
  need(
    ['utilities', 'utility', 'utility bill', 'utility assistance', 'utility payment'],
    ['servicios públicos', 'pago de servicios', 'factura de servicios', 'ayuda con servicios'],
  ),
  need(
    ['electric', 'electricity', 'electric bill', 'light bill', 'power bill', 'liheap', 'energy assistance'],
    ['luz', 'electricidad', 'recibo de luz', 'factura de luz', 'ayuda de energía'],
  ),
  need(['gas bill', 'heating bill'], ['recibo de gas', 'factura de gas']),
  need(['water bill'], ['recibo de agua', 'factura de agua']),
  need(
    ['phone bill', 'lifeline', 'free phone', 'cell phone'],
    ['teléfono gratis', 'teléfono celular', 'factura de teléfono'],
  ),
  need(['internet', 'wifi', 'low cost internet'], ['internet', 'wifi', 'internet de bajo costo']),
  need(['computer', 'laptop', 'computer access'], ['computadora', 'computadoras', 'ordenador']),
  need(
    ['money', 'cash', 'cash assistance', 'financial assistance', 'financial help', 'emergency money'],
    ['dinero', 'efectivo', 'ayuda económica', 'asistencia financiera', 'ayuda financiera'],
  ),
  need(
    ['tanf', 'welfare', 'public assistance', 'public benefits', 'benefits'],
    ['tanf', 'asistencia pública', 'beneficios', 'beneficios públicos', 'ayuda del gobierno'],
  ),
  need(
    ['social security', 'ssi', 'ssdi', 'disability benefits'],
    ['seguro social', 'ssi', 'beneficios por discapacidad'],
  ),
  need(
    ['unemployment', 'unemployment benefits', 'unemployment insurance'],
    ['desempleo', 'seguro de desempleo', 'paro'],
  ),
  need(
    ['tax', 'taxes', 'tax preparation', 'tax help', 'income tax', 'vita'],
    ['impuestos', 'preparación de impuestos', 'declaración de impuestos', 'ayuda con impuestos'],
  ),
  need(
    ['debt', 'credit', 'credit counseling', 'debt counseling'],
    ['deuda', 'deudas', 'crédito', 'asesoría de crédito'],
  ),
  need(['bankruptcy'], ['bancarrota', 'quiebra']),
  need(
    ['budget', 'budgeting', 'financial counseling', 'financial literacy', 'money management'],
    ['presupuesto', 'educación financiera', 'asesoría financiera'],
  ),
  need(['loan', 'loans', 'microloan'], ['préstamo', 'préstamos']),
  need(['bank account', 'banking'], ['cuenta bancaria', 'banco']),
  need(
    ['clothing', 'clothes', 'clothing bank', 'clothes closet', 'thrift'],
    ['ropa', 'vestimenta', 'ropa gratis', 'ropero'],
  ),
  need(['coat', 'coats', 'winter clothing', 'jacket'], ['abrigo', 'abrigos', 'ropa de invierno', 'chaqueta']),
  need(['shoes', 'footwear'], ['zapatos', 'calzado']),
  need(
    ['work clothes', 'interview clothing', 'professional clothing'],
    ['ropa de trabajo', 'ropa para entrevista'],
  ),
  need(['diapers', 'diaper', 'diaper bank'], ['pañales', 'pañal']),
  need(
    ['baby supplies', 'baby items', 'crib', 'car seat', 'stroller'],
    ['artículos para bebé', 'cuna', 'asiento de carro', 'cochecito'],
  ),
  need(['furniture', 'bed', 'mattress', 'beds'], ['muebles', 'cama', 'colchón', 'camas']),
  need(['appliances', 'household goods', 'household items'], ['electrodomésticos', 'artículos del hogar']),
  need(['toys', 'christmas', 'holiday gifts'], ['juguetes', 'navidad', 'regalos']),
  need(['school supplies', 'backpack', 'uniforms'], ['útiles escolares', 'mochila', 'uniformes']),
  need(
    ['medical equipment', 'wheelchair', 'durable medical equipment', 'walker'],
    ['equipo médico', 'silla de ruedas', 'andador'],
  ),
  need(['burial', 'funeral', 'cremation'], ['entierro', 'funeral', 'cremación']),
  // Getting around
  need(
    ['transportation', 'transport', 'ride', 'rides', 'transit'],
    ['transporte', 'transportación', 'viaje', 'aventón'],
  ),
  need(
    ['bus', 'bus pass', 'bus ticket', 'metro'],
    ['autobús', 'pase de autobús', 'boleto de autobús', 'camión', 'guagua'],
  ),
  need(
    ['medical transportation', 'ride to doctor', 'non emergency transportation'],
    ['transporte médico', 'transporte al médico'],
  ),
  need(['paratransit', 'disability transportation'], ['paratránsito', 'transporte para discapacitados']),
  need(['gas voucher', 'gasoline', 'gas card'], ['gasolina', 'vale de gasolina']),
  need(
    ['car repair', 'auto repair', 'vehicle repair'],
    ['reparación de autos', 'mecánico', 'reparación de carro'],
  ),
  need(['driver license', 'drivers license', 'license'], ['licencia de conducir', 'licencia de manejo']),
  need(
    ['id card', 'identification', 'state id', 'photo id'],
    ['identificación', 'tarjeta de identificación'],
  ),
  need(
    ['birth certificate', 'vital records'],
    ['acta de nacimiento', 'certificado de nacimiento', 'partida de nacimiento'],
  ),
  // Health
  need(
    ['health', 'health care', 'healthcare', 'medical', 'medical care'],
    ['salud', 'atención médica', 'cuidado médico', 'cuidado de salud'],
  ),
  need(
    ['clinic', 'health clinic', 'community clinic', 'health center', 'community health center'],
    ['clínica', 'centro de salud', 'centro médico'],
  ),
  need(
    ['free clinic', 'low cost clinic', 'sliding scale'],
    ['clínica gratis', 'clínica gratuita', 'clínica de bajo costo'],
  ),
  need(['doctor', 'physician', 'primary care'], ['médico', 'doctora', 'atención primaria']),
  need(['hospital', 'emergency room'], ['hospital', 'sala de emergencia', 'urgencias']),
  need(['urgent care', 'walk in clinic'], ['atención urgente', 'cuidado urgente']),
  need(
    ['dentist', 'dental', 'dental care', 'teeth', 'tooth', 'toothache'],
    ['dentista', 'dental', 'dientes', 'muelas', 'cuidado dental'],
  ),
  need(
    ['eye', 'vision', 'glasses', 'eyeglasses', 'eye exam', 'optometrist'],
    ['ojos', 'visión', 'lentes', 'anteojos', 'gafas', 'examen de la vista'],
  ),
  need(['hearing', 'hearing aid', 'audiology'], ['audición', 'audífono', 'aparato auditivo']),
  need(
    ['medicine', 'medication', 'prescription', 'prescriptions', 'drug discount', 'pharmacy'],
    ['medicina', 'medicamentos', 'receta', 'recetas médicas', 'farmacia'],
  ),
  need(
    ['health insurance', 'medical insurance', 'insurance', 'obamacare', 'marketplace'],
    ['seguro médico', 'seguro de salud', 'aseguranza'],
  ),
  need(['medicaid'], ['medicaid']),
  need(['medicare', 'shine'], ['medicare']),
  need(
    ['vaccine', 'vaccination', 'immunization', 'shots', 'flu shot'],
    ['vacuna', 'vacunas', 'vacunación', 'inmunización'],
  ),
  need(['covid', 'coronavirus', 'covid test'], ['covid', 'coronavirus', 'prueba de covid']),
  need(['hiv', 'aids', 'hiv test', 'hiv testing'], ['vih', 'sida', 'prueba de vih']),
  need(
    ['std', 'sti', 'std testing', 'sexually transmitted'],
    ['ets', 'its', 'enfermedades de transmisión sexual'],
  ),
  need(
    ['birth control', 'family planning', 'contraception', 'contraceptive'],
    ['anticonceptivos', 'planificación familiar', 'control de natalidad'],
  ),
  need(
    ['pregnant', 'pregnancy', 'prenatal', 'prenatal care', 'maternity'],
    ['embarazada', 'embarazo', 'prenatal', 'cuidado prenatal', 'maternidad'],
  ),
  need(['pregnancy test'], ['prueba de embarazo']),
  need(['breastfeeding', 'lactation'], ['lactancia', 'amamantar']),
  need(['abortion'], ['aborto']),
  need(['cancer', 'mammogram', 'cancer screening'], ['cáncer', 'mamografía']),
  need(['diabetes', 'diabetic'], ['diabetes', 'diabético']),
  need(['asthma'], ['asma']),
  need(['physical therapy', 'rehabilitation'], ['terapia física', 'fisioterapia', 'rehabilitación']),
  need(['speech therapy'], ['terapia del habla', 'terapia de lenguaje']),
  need(['hospice', 'end of life'], ['hospicio', 'cuidados paliativos']),
  need(
    ['home health', 'home care', 'home health aide', 'personal care'],
    ['cuidado en el hogar', 'atención domiciliaria', 'cuidado personal'],
  ),
  need(['nurse', 'nursing'], ['enfermera', 'enfermería']),
  need(['poison', 'poison control'], ['veneno', 'envenenamiento']),
  need(['blood pressure', 'hypertension'], ['presión arterial', 'hipertensión']),
  need(['weight loss', 'exercise', 'fitness'], ['bajar de peso', 'ejercicio']),
  need(['quit smoking', 'smoking cessation', 'tobacco'], ['dejar de fumar', 'tabaco', 'fumar']),
  // Mind and addiction
  need(
    ['mental health', 'mental', 'behavioral health', 'psychiatric', 'psychiatrist'],
    ['salud mental', 'salud emocional', 'psiquiatra', 'salud conductual'],
  ),
  need(
    ['counseling', 'counselor', 'therapy', 'therapist', 'psychologist', 'someone to talk to'],
    ['consejería', 'consejero', 'terapia', 'terapeuta', 'psicólogo', 'asesoramiento'],
  ),
  need(
    ['suicide', 'suicidal', 'suicide prevention', 'crisis line', 'crisis hotline'],
    ['suicidio', 'suicida', 'prevención del suicidio', 'línea de crisis'],
  ),
  need(['crisis', 'crisis intervention'], ['crisis', 'intervención en crisis']),
  need(['depression', 'depressed', 'sad'], ['depresión', 'deprimido', 'tristeza']),
  need(['anxiety', 'stress', 'panic'], ['ansiedad', 'estrés', 'pánico']),
  need(['grief', 'bereavement', 'grief counseling'], ['duelo', 'luto']),
  need(
    ['addiction', 'drug', 'drug abuse', 'substance abuse', 'substance use', 'drug treatment', 'rehab'],
    ['adicción', 'drogas', 'abuso de sustancias', 'tratamiento de drogas'],
  ),
  need(
    ['alcohol', 'alcoholism', 'alcoholics anonymous', 'aa', 'drinking'],
    ['alcohol', 'alcoholismo', 'alcohólicos anónimos'],
  ),
  need(['detox', 'detoxification', 'withdrawal'], ['desintoxicación', 'abstinencia']),
  need(
    ['opioid', 'methadone', 'naloxone', 'narcan', 'overdose'],
    ['opioides', 'metadona', 'naloxona', 'sobredosis'],
  ),
  need(['needle exchange', 'syringe exchange', 'syringe'], ['intercambio de jeringas', 'jeringas']),
  need(['gambling'], ['juego compulsivo', 'apuestas']),
  need(['support group', 'self help'], ['grupo de apoyo', 'autoayuda']),
  need(['eating disorder', 'anorexia'], ['trastorno alimenticio', 'anorexia']),
  need(['anger management', 'anger'], ['control de la ira', 'manejo de la ira', 'enojo']),
  // Safety
  need(
    [
      'domestic violence',
      'domestic abuse',
      'battered women',
      'abusive relationship',
      'intimate partner violence',
    ],
    ['violencia doméstica', 'violencia familiar', 'maltrato', 'mujeres maltratadas', 'abuso doméstico'],
  ),
  need(
    ['sexual assault', 'rape', 'sexual abuse', 'rape crisis'],
    ['agresión sexual', 'violación', 'abuso sexual'],
  ),
  need(
    ['child abuse', 'child neglect', 'child protection'],
    ['abuso infantil', 'maltrato infantil', 'protección de menores'],
  ),
  need(['elder abuse', 'adult protective'], ['abuso de ancianos', 'abuso de mayores']),
  need(['human trafficking', 'trafficking'], ['trata de personas', 'tráfico humano']),
  need(
    ['victim', 'crime victim', 'victim assistance', 'victim services'],
    ['víctima', 'víctimas de crimen', 'ayuda a víctimas'],
  ),
  need(
    ['restraining order', 'protective order', 'injunction'],
    ['orden de restricción', 'orden de protección'],
  ),
  need(['police', 'law enforcement', 'sheriff'], ['policía', 'alguacil']),
  need(['runaway', 'runaway youth', 'homeless youth'], ['jóvenes sin hogar', 'fugitivo']),
  need(
    ['disaster', 'hurricane', 'flood', 'disaster relief', 'fire victim'],
    ['desastre', 'huracán', 'inundación', 'ayuda por desastre', 'incendio'],
  ),
  need(['bullying'], ['acoso escolar', 'acoso']),
  // Families, children, older people
  need(
    ['child care', 'childcare', 'daycare', 'day care', 'babysitter', 'preschool'],
    ['guardería', 'cuidado de niños', 'cuidado infantil', 'niñera', 'preescolar'],
  ),
  need(['head start', 'early head start'], ['head start', 'educación temprana']),
  need(
    ['after school', 'afterschool', 'after school program'],
    ['después de la escuela', 'programa extraescolar', 'extraescolar'],
  ),
  need(['summer camp', 'camp', 'day camp'], ['campamento', 'campamento de verano']),
  need(
    ['parenting', 'parenting class', 'parent education'],
    ['crianza', 'clases para padres', 'educación para padres'],
  ),
  need(['foster care', 'foster parent'], ['cuidado de crianza', 'hogar de crianza', 'acogida']),
  need(['adoption', 'adopt'], ['adopción', 'adoptar']),
  need(['child support'], ['manutención', 'manutención de niños', 'pensión alimenticia']),
  need(['custody', 'child custody', 'visitation'], ['custodia', 'visitas']),
  need(['divorce', 'separation'], ['divorcio', 'separación']),
  need(['single parent', 'single mother', 'single mom'], ['madre soltera', 'padre soltero']),
  need(['fatherhood', 'fathers', 'dads'], ['paternidad', 'padres']),
  need(
    ['youth', 'teen', 'teenager', 'adolescent', 'young people'],
    ['jóvenes', 'joven', 'adolescente', 'juventud'],
  ),
  need(['children', 'child', 'kids'], ['niños', 'niñas', 'infantil', 'hijos']),
  need(['mentor', 'mentoring', 'big brother'], ['mentor', 'mentoría']),
  need(
    ['senior', 'seniors', 'elderly', 'older adult', 'aging'],
    ['anciano', 'adultos mayores', 'tercera edad', 'persona mayor', 'mayores'],
  ),
  need(
    ['senior center', 'adult day care', 'adult day'],
    ['centro para mayores', 'centro de adultos mayores', 'cuidado diurno de adultos'],
  ),
  need(
    ['caregiver', 'respite', 'respite care', 'caregiver support'],
    ['cuidador', 'cuidadores', 'relevo', 'cuidado de relevo'],
  ),
  need(['alzheimer', 'dementia', 'memory care'], ['alzheimer', 'demencia']),
  need(
    ['disability', 'disabled', 'handicapped', 'special needs', 'disabilities'],
    ['discapacidad', 'discapacitado', 'necesidades especiales'],
  ),
  need(
    ['autism', 'autistic', 'developmental disability'],
    ['autismo', 'autista', 'discapacidad del desarrollo'],
  ),
  need(['blind', 'visually impaired', 'low vision'], ['ciego', 'ceguera', 'discapacidad visual']),
  need(['deaf', 'hard of hearing', 'sign language'], ['sordo', 'lenguaje de señas', 'problemas de audición']),
  need(['women', 'woman', 'female'], ['mujer', 'mujeres']),
  need(['men', 'male'], ['hombre', 'hombres']),
  need(
    ['lgbt', 'lgbtq', 'gay', 'lesbian', 'transgender', 'queer'],
    ['lgbt', 'gay', 'lesbiana', 'transgénero'],
  ),
  need(['family', 'families', 'family services'], ['familia', 'familias', 'servicios familiares']),
  need(
    ['pet', 'pets', 'animal', 'animal shelter', 'veterinary', 'spay neuter'],
    ['mascota', 'mascotas', 'animales', 'refugio de animales', 'veterinario'],
  ),
  // Work and learning
  need(
    ['job', 'jobs', 'employment', 'work', 'job search', 'find a job', 'career'],
    ['empleo', 'trabajo', 'trabajos', 'buscar trabajo', 'carrera'],
  ),
  need(
    ['job training', 'vocational', 'vocational training', 'job skills', 'apprenticeship'],
    ['capacitación laboral', 'formación profesional', 'entrenamiento laboral', 'capacitación'],
  ),
  need(['resume', 'interview', 'resume help'], ['currículum', 'entrevista', 'hoja de vida']),
  need(['day labor', 'temp agency', 'temporary job'], ['jornalero', 'trabajo temporal']),
  need(
    ['vocational rehabilitation', 'supported employment'],
    ['rehabilitación vocacional', 'empleo con apoyo'],
  ),
  need(['small business', 'business help', 'entrepreneur'], ['pequeña empresa', 'negocio', 'emprendedor']),
  need(['school', 'education', 'schools'], ['escuela', 'educación', 'colegio']),
  need(
    ['ged', 'high school diploma', 'high school equivalency', 'adult education'],
    ['ged', 'preparatoria', 'educación para adultos', 'bachillerato'],
  ),
  need(
    ['esl', 'esol', 'english class', 'learn english', 'english as second language', 'english lessons'],
    ['clases de inglés', 'aprender inglés', 'inglés'],
  ),
  need(['literacy', 'learn to read', 'reading'], ['alfabetización', 'lectura', 'aprender a leer']),
  need(
    ['tutor', 'tutoring', 'homework help', 'homework'],
    ['tutoría', 'tutor', 'ayuda con tareas', 'tareas'],
  ),
  need(['library', 'libraries', 'books'], ['biblioteca', 'libros']),
  need(
    ['college', 'university', 'scholarship', 'financial aid'],
    ['universidad', 'beca', 'becas', 'ayuda financiera universitaria'],
  ),
  need(['computer class', 'computer training'], ['clases de computación', 'curso de computación']),
  need(['volunteer', 'volunteering', 'volunteer opportunity'], ['voluntario', 'voluntariado']),
  // Law and papers
  need(
    ['legal', 'legal aid', 'lawyer', 'attorney', 'legal help', 'free lawyer', 'legal services'],
    ['legal', 'ayuda legal', 'abogado', 'abogada', 'asistencia legal', 'servicios legales'],
  ),
  need(
    ['immigration', 'immigrant', 'immigration lawyer', 'visa', 'green card', 'daca', 'undocumented'],
    ['inmigración', 'inmigrante', 'migración', 'abogado de inmigración', 'residencia', 'indocumentado'],
  ),
  need(['citizenship', 'naturalization'], ['ciudadanía', 'naturalización']),
  need(['refugee', 'asylum', 'resettlement'], ['refugiado', 'refugiados', 'asilo político']),
  need(['passport'], ['pasaporte']),
  need(
    ['interpreter', 'translation', 'translator', 'interpretation'],
    ['intérprete', 'traducción', 'traductor'],
  ),
  need(['expungement', 'criminal record', 'record sealing'], ['antecedentes penales', 'borrar antecedentes']),
  need(
    ['reentry', 'ex offender', 'ex felon', 'released from prison', 'parole', 'probation'],
    ['reinserción', 'ex convicto', 'libertad condicional', 'exreclusos'],
  ),
  need(['jail', 'prison', 'inmate', 'incarcerated'], ['cárcel', 'prisión', 'preso', 'encarcelado']),
  need(['court', 'courthouse', 'self help center'], ['corte', 'tribunal', 'juzgado']),
  need(['public defender'], ['defensor público']),
  need(['mediation', 'dispute resolution'], ['mediación', 'resolución de conflictos']),
  need(
    ['discrimination', 'civil rights', 'human rights'],
    ['discriminación', 'derechos civiles', 'derechos humanos'],
  ),
  need(
    ['consumer protection', 'complaint', 'scam', 'fraud'],
    ['protección al consumidor', 'queja', 'estafa', 'fraude'],
  ),
  need(['identity theft'], ['robo de identidad']),
  need(['power of attorney', 'guardianship', 'will'], ['poder notarial', 'tutela', 'testamento']),
  need(['notary'], ['notario', 'notaría']),
  need(['voter', 'vote', 'voter registration', 'elections'], ['votar', 'registro de votantes', 'elecciones']),
  need(['veteran', 'veterans', 'military', 'va benefits'], ['veterano', 'veteranos', 'militar']),
  need(['church', 'faith', 'religious'], ['iglesia', 'fe', 'religioso']),
  need(
    ['recreation', 'park', 'sports', 'community center'],
    ['recreación', 'parque', 'deportes', 'centro comunitario'],
  ),
  need(
    ['information', 'referral', 'information referral', '211', 'hotline', 'helpline'],
    ['información', 'referencia', 'línea de ayuda'],
  ),
];
